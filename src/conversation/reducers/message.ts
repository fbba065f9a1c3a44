import { sameJson } from '../../protocol/json.ts';
import { createMessage } from '../factories.ts';
import type { Conversation, ConversationItem, ConversationMessage, Run } from '../conversation.ts';
import { deltaContent, deltaRole } from '../read-delta.ts';
import type { EventReducer, EventScope, ReducerScope } from '../reducer-types.ts';
import { appendDelta, replaceItems } from '../items.ts';
import { asObject, nonEmptyString, type Fields } from '../read-values.ts';
import { hasEnded } from '../run-status.ts';
import {
  appendMessage,
  findMessage,
  findRun,
  updateMessage,
  updateRun,
  withFields,
  clearStatusLine,
} from '../update.ts';
import { readWireMessage, hasContent } from '../read-message.ts';
import type { WireMessage } from '../read-message.ts';
import { closeDraft, completed, openDraft, withOpenMessage } from './open-message.ts';

/** Opens an empty draft, which the widget shows as a typing mark. */
export const messageStarted: EventReducer = (conversation, scope) => {
  const { run } = scope;
  if (scope.late || hasEnded(run)) return conversation;
  const messageId = nonEmptyString(scope.data['message_id']);
  const known = findInRun(conversation, run, messageId);
  // after a reload, the history may have brought it: its deltas must not open another
  if (known) return withOpenMessage(conversation, run.id, known.id);
  const open = findMessage(conversation, run.openMessageId);
  if (open?.status === 'streaming' && open.items.length === 0) {
    return messageId === undefined
      ? conversation
      : updateMessage(conversation, open.id, (draft) => withFields(draft, { messageId }));
  }
  return openDraft(closeDraft(conversation, run.id), run.id, scope.at, { messageId });
};

/** Appends to the answer and removes the status line. */
export const messageDelta: EventReducer = (conversation, scope) => {
  const grown = takeDelta(conversation, scope);
  return grown === conversation ? grown : clearStatusLine(grown, scope.runKey);
};

const takeDelta: EventReducer = (conversation, scope) => {
  const { run } = scope;
  if (hasEnded(run)) return conversation;
  const content = deltaContent(scope.data);
  if (content === undefined) return conversation;
  const messageId = nonEmptyString(scope.data['message_id']);
  const named = findInRun(conversation, run, messageId);
  const open = findMessage(conversation, run.openMessageId);
  const target = named ?? (messageId !== undefined && open?.messageId !== undefined ? undefined : open);
  if (named && named.status !== 'streaming') return conversation;
  if (target?.status === 'streaming') {
    return updateMessage(conversation, target.id, (draft) =>
      withFields(draft, {
        items: appendDelta(draft.items, content),
        messageId: draft.messageId ?? messageId,
      }),
    );
  }
  const items = appendDelta((target && run.unplacedItems) ?? [], content);
  if (scope.late || items.length === 0) return conversation;
  // After a complete message, deltas either repeat parts of it or begin another message that no event opened. Compare
  // the text to find out.
  if (target && items.every((item) => containsItem(item, target)))
    return updateRun(conversation, run.id, (current) => ({ ...current, unplacedItems: items }));
  const isBeside = messageId !== undefined && open?.messageId !== undefined;
  return openDraft(isBeside ? conversation : closeDraft(conversation, run.id), run.id, scope.at, {
    messageId,
    items,
    role: deltaRole(scope.data),
  });
};

/** Completes the open message; later content starts another one. */
export const messageCompleted: EventReducer = (conversation, scope) => {
  const { run } = scope;
  const messageId = nonEmptyString(scope.data['message_id']);
  const named = findInRun(conversation, run, messageId);
  if (named && named.id !== run.openMessageId) {
    return updateMessage(conversation, named.id, completed);
  }
  return scope.late ? conversation : closeDraft(conversation, run.id);
};

/** Places a complete message: replaces its draft, even an empty one, or its earlier version; otherwise adds it. */
export function placeMessage(conversation: Conversation, scope: ReducerScope): Conversation {
  const wire = readWireMessage(scope.data);
  const run = findRun(conversation, scope.runKey) ?? scope.run; // a question may just have closed its draft
  if (wire.role === 'user') return mergeEcho(conversation, scope, wire);
  const target = targetOf(conversation, run, wire, scope.late);
  const sealed = hasContent(wire) || hasEnded(run);
  const placed = target
    ? updateMessage(conversation, target.id, (draft) => mergeFinal(draft, wire, sealed))
    : openDraft(closeDraft(conversation, run.id), run.id, scope.at, {
        ...wire,
        clientMessageId: undefined,
        ...(sealed && { status: 'complete' }),
      });
  // the service repeats a question when it expires: it needs no reply then
  const isOver = wire.items.some(({ source }) => asObject(source['decision'])['state'] === 'expired');
  const settled = updateRun(placed, run.id, (asking) =>
    withFields(asking, { needsReply: asking.needsReply && !isOver }),
  );
  return rememberPrompt(settled, run.id, wire.parentMessageId);
}

function targetOf(
  conversation: Conversation,
  run: Run,
  wire: WireMessage,
  late: boolean,
): ConversationMessage | undefined {
  const known = findInRun(conversation, run, wire.messageId);
  if (known) return known;
  // An event that arrived late, or repeats a message with its id: it belongs to a draft that is already closed.
  const open =
    findMessage(conversation, run.openMessageId) ??
    conversation.messages.findLast(
      ({ runKey, id, messageId, items }) =>
        runKey === run.id &&
        id !== run.id &&
        messageId === undefined &&
        (late || sameJson(items, wire.items)),
    );
  if (!open) return undefined;
  const isOwn =
    (open.messageId === undefined || wire.messageId === undefined) &&
    (late || open.status === 'streaming' || resembles(open.items, wire.items));
  return isOwn || (open.status === 'streaming' && textOfItems(open.items) === textOfItems(wire.items))
    ? open
    : undefined;
}

/** Whether a message without an id repeats the shown text, or its beginning. */
function resembles(said: readonly ConversationItem[], items: readonly ConversationItem[]): boolean {
  const isSame = (one: ConversationItem, { type, text }: ConversationItem): boolean =>
    one.type === type && (one.text.startsWith(text) || text.startsWith(one.text));
  return !said[0] || !items[0] || said.some((one) => items.some((other) => isSame(one, other)));
}

function containsItem({ text, source }: ConversationItem, { items }: ConversationMessage): boolean {
  return text === ''
    ? items.some((item) => sameJson(item.source, source))
    : textOfItems(items).includes(text);
}

function textOfItems(items: readonly ConversationItem[]): string {
  return items.map((item) => item.text).join('');
}

/** Replaces the draft's content with the final message's. A message without content keeps the text already shown. */
function mergeFinal(draft: ConversationMessage, wire: WireMessage, sealed: boolean): ConversationMessage {
  const kept = draft.items.filter(
    (item) => item.id.startsWith('widget-') && !wire.items.some(({ id }) => id === item.id),
  );
  const items = wire.items.length === 0 && draft.items.length > 0 ? draft.items : [...wire.items, ...kept];
  return withFields(draft, {
    ...unchangedKept(draft, wire),
    items: replaceItems(draft.items, items),
    messageId: wire.messageId ?? draft.messageId,
    clientMessageId: draft.clientMessageId,
    status: sealed ? 'complete' : draft.status,
  });
}

/** Keeps the identity of equal values, so a repeated message changes nothing. */
function unchangedKept(draft: ConversationMessage, wire: WireMessage): WireMessage {
  const entries = Object.entries(wire).map(([key, value]): [string, unknown] => {
    const old: unknown = draft[key as keyof WireMessage]; // keys of WireMessage by construction
    return [key, sameJson(old, value) ? old : value];
  });
  return Object.fromEntries(entries) as unknown as WireMessage; // the same keys with equal or the same values
}

/** Copies the wire id of the visitor's message from the service's echo of it. */
function mergeEcho(conversation: Conversation, scope: ReducerScope, wire: WireMessage): Conversation {
  const prompt = findMessage(conversation, scope.run.id);
  const isEchoOfPrompt =
    prompt &&
    (prompt.messageId === undefined || prompt.messageId === wire.messageId || wire.messageId === undefined) &&
    (wire.clientMessageId === undefined || wire.clientMessageId === prompt.clientMessageId);
  if (isEchoOfPrompt) {
    return updateMessage(conversation, prompt.id, (message) =>
      withFields(message, { messageId: message.messageId ?? wire.messageId }),
    );
  }
  return placeInThread(conversation, scope, wire);
}

/** Places a callback message of the thread. */
export function placeThreadMessage(conversation: Conversation, at: number, data: Fields): Conversation {
  const wire = readWireMessage(data);
  return wire.role === 'tool' ? conversation : placeInThread(conversation, { runKey: undefined, at }, wire);
}

/** A message that is not the answer of its run, or has none. */
function placeInThread(conversation: Conversation, scope: EventScope, wire: WireMessage): Conversation {
  const known = conversation.messages.findLast(
    (message) =>
      (wire.messageId !== undefined && message.messageId === wire.messageId) ||
      (wire.clientMessageId !== undefined && message.clientMessageId === wire.clientMessageId),
  );
  if (known) {
    if (known.role === 'user') {
      return updateMessage(conversation, known.id, (message) =>
        withFields(message, { messageId: message.messageId ?? wire.messageId }),
      );
    }
    return updateMessage(conversation, known.id, (message) => mergeFinal(message, wire, true));
  }
  if (!hasContent(wire)) return conversation;
  const message: ConversationMessage = {
    ...createMessage({
      id: freeMessageId(conversation, wire.messageId ?? `thread-${conversation.messages.length}`),
      role: wire.role,
      status: wire.role === 'user' ? 'sent' : 'complete',
      runKey: scope.runKey,
      createdAt: scope.at,
    }),
    ...wire,
  };
  return appendMessage(conversation, message);
}

function findInRun(
  { messages }: Conversation,
  run: Run,
  messageId: string | undefined,
): ConversationMessage | undefined {
  return messages.findLast(
    (message) =>
      messageId !== undefined &&
      message.messageId === messageId &&
      message.runKey === run.id &&
      message.id !== run.id,
  );
}

/** Returns an unused local id; another message may already have the wire's. */
function freeMessageId(conversation: Conversation, id: string): string {
  return findMessage(conversation, id) ? freeMessageId(conversation, `${id}-2`) : id;
}

/** The answer's parent is the visitor's message: stores its wire id, which later messages refer to. */
export function rememberPrompt(
  conversation: Conversation,
  runKey: string | undefined,
  parentId: string | undefined,
): Conversation {
  const run = findRun(conversation, runKey);
  if (!run || parentId === undefined) return conversation;
  if (conversation.messages.some((message) => message.messageId === parentId)) return conversation;
  return updateMessage(conversation, run.id, (prompt) =>
    withFields(prompt, { messageId: prompt.messageId ?? parentId }),
  );
}
