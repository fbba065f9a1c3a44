import type { RunEvent } from '../protocol/index.ts';
import { compareIds, rememberEvent, classifyEvent } from './event-deduplication.ts';
import type { Conversation } from './conversation.ts';
import type { EventReducer, EventScope } from './reducer-types.ts';
import { asObject, firstString, nonEmptyString } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { eventReducers } from './reducers/index.ts';
import { findMessage, findRun, updateMessage, updateRun, withFields } from './update.ts';

/**
 * Applies one event of a run stream, or of the thread, to the conversation. Pure, and total over any `data`. Returns the
 * same object when the event changes nothing: a repeated event, or one of an unknown kind without an id.
 */
export function reduceRunEvent(conversation: Conversation, event: RunEvent, scope: EventScope): Conversation {
  const run = findRun(conversation, scope.runKey);
  if (scope.runKey !== undefined && !run) return conversation;
  const standing = run ? classifyEvent(run.applied, run.lastEventId, event) : 'new';
  if (standing === 'repeated') return conversation;
  const data = asObject(event.data);
  const reducer = reducerOf(event.event);
  const opened = run && reducer ? acknowledge(conversation, run.id, data) : conversation;
  const reduced = reducer ? reducer(opened, { ...scope, event, data, late: standing === 'late' }) : opened;
  return run ? record(reduced, run.id, event) : reduced;
}

function reducerOf(kind: string): EventReducer | undefined {
  const reducers: Readonly<Record<string, EventReducer>> = eventReducers;
  return Object.hasOwn(reducers, kind) ? reducers[kind] : undefined;
}

/** The first event proves that the service accepted the message. Any event may be the first to name run and thread. */
function acknowledge(conversation: Conversation, runKey: string, data: Fields): Conversation {
  const run = findRun(conversation, runKey);
  if (!run) return conversation;
  const threadId = conversation.threadId ?? nonEmptyString(data['thread_id']);
  let next = updateRun(withFields(conversation, { threadId }), runKey, (current) =>
    withFields(
      current,
      current.status === 'submitted' ||
        current.status === 'idle' ||
        (current.status === 'waiting' && !current.needsReply)
        ? // an event's run id overrides the header's
          { status: 'streaming', runId: firstString(data, 'run_id') ?? current.runId }
        : { runId: current.runId ?? firstString(data, 'run_id') },
    ),
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
      applied: rememberEvent(run.applied, event),
      lastEventId: isLater ? event.id : run.lastEventId,
    });
  });
}
