import { isObject, sameJson } from '../../protocol/json.ts';
import type { Conversation } from '../conversation.ts';
import type { EventReducer, ReducerScope } from '../reducer-types.ts';
import { readText } from '../read-values.ts';
import type { Fields } from '../read-values.ts';
import { hasEnded } from '../run-status.ts';
import { findMessage, findRun, updateRun, withFields } from '../update.ts';
import { readWireMessage } from '../read-message.ts';
import { closeDraft } from './open-message.ts';
import { placeMessage } from './message.ts';

/** As `message.created`. @source wire, section 5 */
export const slotInput: EventReducer = (conversation, scope) =>
  placeQuestion(conversation, { ...scope, data: questionOf(scope.data) });

/** The agent asks the visitor, or its flow waits for input: shows the content and unlocks the composer. */
export const ask: EventReducer = (conversation, scope) => {
  const data = questionOf(scope.data);
  const isSilent = data['message'] == null && data['content'] == null;
  const shown = isSilent ? conversation : placeQuestion(conversation, { ...scope, data });
  const run = findRun(shown, scope.runKey);
  if (!run || run.needsReply || (hasEnded(run) && run.status !== 'completed')) return shown;
  return updateRun(shown, run.id, (current) =>
    withFields(current, { needsReply: true, status: 'waiting', statusLine: undefined }),
  );
};

/** Adds the question's content. Never removes text of the answer; later content starts another message. */
function placeQuestion(conversation: Conversation, scope: ReducerScope): Conversation {
  const { run } = scope;
  const { messageId, items } = readWireMessage(scope.data);
  const last = conversation.messages.findLast(({ id, runKey }) => runKey === run.id && id !== run.id);
  const isShown = items.every((item) => last?.items.some(({ source }) => sameJson(source, item.source)));
  // some services send a question twice: once in a message, once as the form alone
  if (messageId === undefined && items.length > 0 && isShown) return closeDraft(conversation, run.id);
  const open = findMessage(conversation, run.openMessageId);
  const isSame =
    (messageId !== undefined && messageId === open?.messageId) ||
    open?.items.some((said) =>
      items.some(({ id, type, text }) => type === said.type && (id === said.id || text === said.text)),
    );
  const isBeside = !isSame && items.length > 0 && open !== undefined && open.items.length > 0;
  const placed = placeMessage(isBeside ? closeDraft(conversation, run.id) : conversation, scope);
  return items.length > 0 ? closeDraft(placed, run.id) : placed;
}

/** The question may be a message, content, a single item, or text in one of several fields. */
function questionOf(data: Fields): Fields {
  if (isObject(data['message']) || data['content'] != null) return data;
  for (const key of ['form', 'item', 'slot', 'input', 'interrupt', 'value']) {
    const inner = data[key];
    if (
      isObject(inner) &&
      (inner['content'] != null || inner['json_schema'] != null || inner['response_type'] != null)
    ) {
      return { ...data, content: inner['content'] ?? [inner] };
    }
  }
  if (data['json_schema'] != null || data['response_type'] != null)
    return { ...data, content: [itemOf(data)] };
  if (Array.isArray(data['options']))
    return { ...data, content: [{ response_type: 'option', ...itemOf(data) }] };
  const text = readText(data['message'] ?? data['text'] ?? data['prompt'] ?? data['question']);
  return text === '' ? data : { ...data, content: [{ response_type: 'text', text }] };
}

function itemOf(data: Fields): Fields {
  const envelope = new Set(['run_id', 'thread_id', 'agent_id', 'message_id']);
  return Object.fromEntries(Object.entries(data).filter(([key]) => !envelope.has(key)));
}
