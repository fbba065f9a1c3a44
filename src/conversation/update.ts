import type { Conversation, ConversationMessage, Run } from './conversation.ts';

/** The run with this key, or undefined. */
export function findRun(conversation: Conversation, runKey: string | undefined): Run | undefined {
  return runKey === undefined ? undefined : conversation.runs.findLast((run) => run.id === runKey);
}

/** The message with this local id, or undefined. */
export function findMessage(
  conversation: Conversation,
  id: string | undefined,
): ConversationMessage | undefined {
  return id === undefined ? undefined : conversation.messages.findLast((message) => message.id === id);
}

/** Changes one run. Returns the same conversation if the run is unknown or unchanged. */
export function updateRun(
  conversation: Conversation,
  runKey: string | undefined,
  change: (run: Run) => Run,
): Conversation {
  const index = conversation.runs.findLastIndex((run) => run.id === runKey);
  const runs = replaceAt(conversation.runs, index, change);
  return runs === conversation.runs ? conversation : { ...conversation, runs };
}

/** Removes the run's status line. */
export function clearStatusLine(conversation: Conversation, runKey: string | undefined): Conversation {
  return updateRun(conversation, runKey, (run) => withFields(run, { statusLine: undefined }));
}

/** Changes one message. Returns the same conversation if the message is unknown or unchanged. */
export function updateMessage(
  conversation: Conversation,
  id: string | undefined,
  change: (message: ConversationMessage) => ConversationMessage,
): Conversation {
  const index = conversation.messages.findLastIndex((message) => message.id === id);
  const messages = replaceAt(conversation.messages, index, change);
  return messages === conversation.messages ? conversation : { ...conversation, messages };
}

/** Changes messages. Returns the same conversation if `change` returns each message as it was. */
export function updateMessages(
  conversation: Conversation,
  change: (message: ConversationMessage) => ConversationMessage,
): Conversation {
  const messages = mapChanged(conversation.messages, change);
  return messages === conversation.messages ? conversation : { ...conversation, messages };
}

/** Like `map`, but returns the same array if nothing changed. */
export function mapChanged<Value>(
  values: readonly Value[],
  change: (value: Value) => Value,
): readonly Value[] {
  let changed = false;
  const next = values.map((value) => {
    const replaced = change(value);
    if (replaced !== value) changed = true;
    return replaced;
  });
  return changed ? next : values;
}

/** Changes one element. Returns the same array if the element is unchanged or the index is out of range. */
export function replaceAt<Value>(
  values: readonly Value[],
  index: number,
  change: (value: Value) => Value,
): readonly Value[] {
  const value = values[index];
  if (value === undefined) return values;
  const replaced = change(value);
  if (replaced === value) return values;
  const next = values.slice();
  next[index] = replaced;
  return next;
}

/** Sets fields. Returns the same object if no value differs. */
export function withFields<Value extends object>(value: Value, fields: Partial<Value>): Value {
  for (const key in fields) {
    if (!Object.is(value[key], fields[key])) return { ...value, ...fields };
  }
  return value;
}

/** Adds a message before the queued ones. */
export function appendMessage(conversation: Conversation, message: ConversationMessage): Conversation {
  const end = conversation.messages.findLastIndex(({ status }) => status !== 'queued') + 1;
  return { ...conversation, messages: conversation.messages.toSpliced(end, 0, message) };
}
