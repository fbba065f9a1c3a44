import { isObject } from '../../protocol/json.ts';
import type { Conversation, Run, RunFailure, RunStatus } from '../conversation.ts';
import type { EventReducer, ReducerScope } from '../reducer-types.ts';
import { nonEmptyString } from '../read-values.ts';
import { hasEnded } from '../run-status.ts';
import { rememberPrompt } from './message.ts';
import { findRun, mapChanged, updateMessages, updateRun, withFields } from '../update.ts';

/** Stores the ids of run and thread, and of the visitor's message if the event contains it. */
export const runStarted: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const named = updateRun(conversation, scope.runKey, (run) =>
    withFields(run, {
      runId: run.runId ?? nonEmptyString(data['run_id']),
      agentId: run.agentId ?? nonEmptyString(data['agent_id']),
    }),
  );
  return rememberPrompt(named, scope.runKey, nonEmptyString(data['parent_message_id']));
};

/** Completes the answer and its open steps. */
export const runCompleted: EventReducer = (conversation, scope) =>
  endRun(keepContext(conversation, scope), scope, 'completed');

/** The run was stopped, which is no error. The partial answer stays. */
export const runCancelled: EventReducer = (conversation, scope) => endRun(conversation, scope, 'cancelled');

/** The end of the turn: a run without another end has completed. */
export const done: EventReducer = (conversation, scope) => {
  const { run } = scope;
  const ended = endRun(keepContext(conversation, scope), scope, run.failure ? 'failed' : 'completed');
  return updateRun(ended, run.id, (current) => withFields(current, { done: true }));
};

/** Ends a run; only the first end counts. An open question keeps it `waiting`. */
export function endRun(
  conversation: Conversation,
  scope: Pick<ReducerScope, 'runKey' | 'at'>,
  status: Extract<RunStatus, 'completed' | 'failed' | 'expired' | 'cancelled'>,
  failure?: RunFailure,
): Conversation {
  const run = findRun(conversation, scope.runKey);
  if (!run || hasEnded(run)) return conversation;
  const step = status === 'completed' ? 'done' : status === 'cancelled' ? 'stopped' : 'failed';
  const finish = (steps: Run['steps']): Run['steps'] =>
    mapChanged(steps, (row) => (row.status === 'active' ? { ...row, status: step } : row));
  const next = updateRun(conversation, run.id, (current) => ({
    ...current,
    status: status === 'completed' && current.needsReply ? 'waiting' : status,
    steps: finish(current.steps),
    plan: finish(current.plan),
    statusLine: undefined,
    failure: failure ?? remainingFailure(current, status),
    endedAt: current.endedAt ?? scope.at,
    openMessageId: undefined,
    needsReply: status === 'completed' && current.needsReply,
  }));
  return updateMessages(next, (message) =>
    message.runKey === run.id && message.status === 'streaming'
      ? { ...message, status: 'complete' }
      : message,
  );
}

function keepContext(conversation: Conversation, scope: ReducerScope): Conversation {
  const { context } = scope.data;
  return isObject(context) ? withFields(conversation, { context }) : conversation;
}

/** An error that the run survived is still shown, but cannot be retried. */
function remainingFailure(run: Run, status: RunStatus): RunFailure | undefined {
  if (run.status === 'interrupted' || !run.failure) return undefined;
  return status === 'completed' ? withFields(run.failure, { retryable: false }) : run.failure;
}
