import type { RunEvent } from '../protocol/index.ts';
import { compareIds, remember, standingOf } from './event-deduplication.ts';
import type { Conversation } from './conversation.ts';
import type { EventScope, ReducerParts } from './reducer-types.ts';
import { fieldsOf, firstName, nameOf } from './read-values.ts';
import { plainReducers } from './reducers/plain.ts';
import { findMessage, findRun, updateMessage, updateRun, withFields } from './update.ts';
import { tellsOfSteps } from './read-message.ts';

/**
 * Folds one event of the run stream, or of the thread, into the conversation. Pure; total over any `data`; gives the
 * same object back when the event changes nothing: a repeated one, or one of an unknown kind without an id.
 * @param parts `plainParts` for a plain event, all of them for any.
 */
export function foldRunEvent(
  conversation: Conversation,
  event: RunEvent,
  scope: EventScope,
  { reducers, readSteps }: ReducerParts,
): Conversation {
  const run = findRun(conversation, scope.runKey);
  if (scope.runKey !== undefined && !run) return conversation;
  const standing = run ? standingOf(run.applied, run.lastEventId, event) : 'new';
  if (standing === 'repeated') return conversation;
  const data = fieldsOf(event.data);
  const reducer = Object.hasOwn(reducers, event.event) ? reducers[event.event] : undefined;
  const opened = run && reducer ? acknowledge(conversation, run.id, data) : conversation;
  const late = standing === 'late';
  const reduced = reducer ? reducer(opened, { ...scope, event, data, late, readSteps }) : opened;
  return run ? record(reduced, run.id, event) : reduced;
}

/** What plain events are reduced with. */
export const plainParts: ReducerParts = { reducers: plainReducers, readSteps: undefined };

/** Whether an event takes no more than `plainParts`: it is of a kind that every answer has, and tells of no steps. */
export function isPlain({ event, data }: RunEvent): boolean {
  return (
    Object.hasOwn(plainReducers, event) && (event !== 'message.created' || !tellsOfSteps(fieldsOf(data)))
  );
}

/** The first event proves that the service took the message; any event may be the one that names run and thread. */
function acknowledge(conversation: Conversation, runKey: string, data: EventScopeData): Conversation {
  const run = findRun(conversation, runKey);
  if (!run) return conversation;
  const threadId = conversation.threadId ?? nameOf(data['thread_id']);
  let next = updateRun(withFields(conversation, { threadId }), runKey, (current) =>
    withFields(current, {
      status: current.status === 'submitted' || current.status === 'idle' ? 'streaming' : current.status,
      runId: current.runId ?? firstName(data, 'run_id'),
    }),
  );
  const prompt = findMessage(next, run.promptId);
  if (prompt && (prompt.status === 'sending' || prompt.status === 'queued')) {
    next = updateMessage(next, prompt.id, (message) => ({ ...message, status: 'sent' }));
  }
  return next;
}

type EventScopeData = Readonly<Record<string, unknown>>;

function record(conversation: Conversation, runKey: string, event: RunEvent): Conversation {
  if (event.id === '') return conversation;
  return updateRun(conversation, runKey, (run) => {
    const isLater = (compareIds(event.id, run.lastEventId) ?? 1) > 0;
    return withFields(run, {
      applied: remember(run.applied, run.lastEventId, event),
      lastEventId: isLater ? event.id : run.lastEventId,
    });
  });
}
