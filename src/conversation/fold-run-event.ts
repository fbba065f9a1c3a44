import type { RunEvent } from '../protocol/index.ts';
import { compareIds, rememberEvent, classifyEvent } from './event-deduplication.ts';
import type { Conversation } from './conversation.ts';
import type { EventScope, ReducerSet } from './reducer-types.ts';
import { asObject, firstString, nonEmptyString } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { coreReducers } from './reducers/core.ts';
import { findMessage, findRun, updateMessage, updateRun, withFields } from './update.ts';
import { tellsOfSteps } from './read-message.ts';

/**
 * Applies one event as `reduceRunEvent` does, with the reducers that are loaded.
 * @param reducerSet `coreSet` is enough where `isCoreEvent` is true; `completeSet` handles every event
 */
export function foldRunEvent(
  conversation: Conversation,
  event: RunEvent,
  scope: EventScope,
  { reducers, readSteps }: ReducerSet,
): Conversation {
  const run = findRun(conversation, scope.runKey);
  if (scope.runKey !== undefined && !run) return conversation;
  const standing = run ? classifyEvent(run.applied, run.lastEventId, event) : 'new';
  if (standing === 'repeated') return conversation;
  const data = asObject(event.data);
  const reducer = Object.hasOwn(reducers, event.event) ? reducers[event.event] : undefined;
  const opened = run && reducer ? acknowledge(conversation, run.id, data) : conversation;
  const late = standing === 'late';
  const reduced = reducer ? reducer(opened, { ...scope, event, data, late, readSteps }) : opened;
  return run ? record(reduced, run.id, event) : reduced;
}

/** Handles the events for which `isCoreEvent` is true. */
export const coreSet: ReducerSet = { reducers: coreReducers, readSteps: undefined };

/** Whether `coreSet` handles an event: every answer has events of its kind, and it contains no steps. */
export function isCoreEvent({ event, data }: RunEvent): boolean {
  return Object.hasOwn(coreReducers, event) && (event !== 'message.created' || !tellsOfSteps(asObject(data)));
}

/** The first event proves that the service accepted the message. Any event may be the first to name run and thread. */
function acknowledge(conversation: Conversation, runKey: string, data: Fields): Conversation {
  const run = findRun(conversation, runKey);
  if (!run) return conversation;
  const threadId = conversation.threadId ?? nonEmptyString(data['thread_id']);
  let next = updateRun(withFields(conversation, { threadId }), runKey, (current) =>
    withFields(current, {
      status: current.status === 'submitted' || current.status === 'idle' ? 'streaming' : current.status,
      runId: current.runId ?? firstString(data, 'run_id'),
    }),
  );
  const prompt = findMessage(next, run.promptId);
  if (prompt && (prompt.status === 'sending' || prompt.status === 'queued')) {
    next = updateMessage(next, prompt.id, (message) => ({ ...message, status: 'sent' }));
  }
  return next;
}

function record(conversation: Conversation, runKey: string, event: RunEvent): Conversation {
  if (event.id === '') return conversation;
  return updateRun(conversation, runKey, (run) => {
    const isLater = (compareIds(event.id, run.lastEventId) ?? 1) > 0;
    return withFields(run, {
      applied: rememberEvent(run.applied, run.lastEventId, event),
      lastEventId: isLater ? event.id : run.lastEventId,
    });
  });
}
