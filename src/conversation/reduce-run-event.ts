import type { RunEvent } from '../protocol/index.ts';
import { isTooDeep, own } from '../protocol/json.ts';
import { compareIds, rememberEvent, classifyEvent } from './event-deduplication.ts';
import type { Conversation, Run } from './conversation.ts';
import type { EventReducer, EventScope } from './reducer-types.ts';
import { asObject, firstString, nonEmptyString } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { eventReducers } from './reducers/index.ts';
import { placeThreadMessage } from './reducers/message.ts';
import { settlePrompt } from './stream-actions.ts';
import { findRun, updateRun, withFields } from './update.ts';

/**
 * Applies one event of a run stream, or of the thread, to the conversation. Pure, and total over any `data`. Returns
 * the same object when the event changes nothing: a repeated event, or one of an unknown kind without an id.
 */
export function reduceRunEvent(conversation: Conversation, event: RunEvent, scope: EventScope): Conversation {
  const { runKey } = scope;
  const data = asObject(isTooDeep(event.data) ? undefined : event.data);
  if (runKey === undefined)
    return event.event === 'message.created'
      ? placeThreadMessage(conversation, scope.at, data)
      : conversation;
  const known = findRun(conversation, runKey);
  const order = known && classifyEvent(known.applied, known.lastEventId, event);
  if (!known || order === 'repeated') return conversation;
  const reducer = own<EventReducer>(eventReducers, event.event);
  if (!reducer) return record(conversation, runKey, event);
  const opened = acknowledge(conversation, known, data);
  const run = findRun(opened, runKey) ?? known;
  return record(reducer(opened, { ...scope, run, runKey, data, late: order === 'late' }), runKey, event);
}

/** The first event proves that the service accepted the message. Any event may be the first to name run and thread. */
function acknowledge(conversation: Conversation, { id }: Run, data: Fields): Conversation {
  const threadId = conversation.threadId ?? nonEmptyString(data['thread_id']);
  const runId = firstString(data, 'run_id');
  const named = updateRun(withFields(conversation, { threadId }), id, (run) =>
    withFields(
      run,
      run.status === 'submitted' || (run.status === 'waiting' && !run.needsReply)
        ? // an event's run id overrides the header's
          { status: 'streaming', runId: runId ?? run.runId }
        : { runId: run.runId ?? runId },
    ),
  );
  return settlePrompt(named, id, 'sent');
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
