import { isObject, shallowArrayEquals } from '../protocol/json.ts';
import { blankRun } from './factories.ts';
import type { Conversation, ConversationMessage, Run } from './conversation.ts';
import { asObject, nonEmptyString } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { extrasOf, readWireMessage, saysSomething } from './read-message.ts';
import { isUnderWay } from './run-status.ts';
import { withFields } from './update.ts';

/**
 * Merges a thread's stored messages into the conversation. A known message stays the same object; a message that the
 * service does not have keeps its place; replaced turns stay hidden.
 * @param stored messages of the service, oldest first
 * @param options.at milliseconds since the epoch, for messages without a creation time
 * @param options.isReading whether a run is being read here: its messages come from its stream
 */
export function mergeHistory(
  conversation: Conversation,
  stored: readonly unknown[],
  { at, isReading = false }: { readonly at: number; readonly isReading?: boolean },
): Conversation {
  const seen = new Set<string | undefined>();
  const entries = stored.filter(isObject).filter((entry) => {
    const id = nonEmptyString(entry['id']);
    return id === undefined || (!seen.has(id) && seen.add(id));
  });
  const own = new OwnMessages(conversation);
  const branch = activeBranch(entries);
  const ids = new Set(conversation.messages.map(({ id }) => id));
  const nameFor = (index: number): string => {
    let name = `history-${index}`;
    while (ids.has(name)) name += '+';
    return name;
  };
  const replaced = new Set(
    conversation.messages.flatMap((message) => message.replacedClientMessageIds ?? []),
  );
  // a retried turn keeps its id here, and the stored turn that it replaces has that id as its `client_message_id`
  const isFree = (id: string): boolean => !ids.has(id);
  // a stopped answer stays as the visitor saw it, although the service may have stored more
  const stopped = new Set(conversation.runs.flatMap(({ id, status }) => (status === 'cancelled' ? id : [])));
  const under = isReading ? conversation.runs.filter(isUnderWay) : [];
  const live = new Set(under.flatMap((run) => [run.id, run.runId]));
  const promptOfRun = new Map<string, ConversationMessage>();
  const answers = new Map<string | undefined, ConversationMessage>();
  const messages: ConversationMessage[] = [];
  let lastPrompt: ConversationMessage | undefined;
  entries.forEach((entry, index) => {
    const runId = nonEmptyString(entry['run_id']);
    const prompt = runId === undefined ? undefined : promptOfRun.get(runId);
    const read = readStored(entry, {
      at,
      superseded: !branch.has(index) || prompt?.superseded === true,
      replaced,
      promptId: prompt?.id,
      isFree,
      name: nameFor(index),
    });
    const known = own.take(read, runId);
    const isAnswer = read.role !== 'user';
    if (!known && isAnswer && prompt && stopped.has(prompt.id)) return;
    if (!known && isAnswer && runId !== undefined && (live.has(runId) || live.has(prompt?.id))) return;
    if (!known && isAnswer && entry['content'] == null && !saysSomething(read)) return;
    const message = known ?? read;
    ids.add(message.id);
    if (message.role === 'user') {
      lastPrompt = message;
      if (runId !== undefined && !prompt) promptOfRun.set(runId, message);
    }
    if (message.id !== message.runKey) answers.set(message.runKey, message);
    messages.push(known ? withFields(known, { messageId: known.messageId ?? read.messageId }) : message);
  });
  const knownRuns = new Set(conversation.runs.flatMap(({ id, runId }) => [id, runId]));
  const runs: Run[] = [];
  for (const [runId, prompt] of promptOfRun) {
    if (knownRuns.has(prompt.id) || knownRuns.has(runId)) continue;
    runs.push(storedRun({ runId, prompt, answer: answers.get(prompt.id), isLast: prompt === lastPrompt }));
  }
  const rest = own.rest();
  const whole = [
    ...messages.flatMap((message) => [...(rest.get(message.id) ?? []), message]),
    ...(rest.get(undefined) ?? []),
  ];
  if (runs.length === 0 && shallowArrayEquals(whole, conversation.messages)) return conversation;
  const order = new Map(whole.map((message, index) => [message.id, index]));
  const all = [...conversation.runs, ...runs].sort(
    (left, right) => promptIndex(order, left) - promptIndex(order, right),
  );
  return { ...conversation, messages: whole, runs: all };
}

function readStored(
  entry: Fields,
  options: {
    readonly at: number;
    readonly superseded: boolean;
    /** `client_message_id`s of turns that were retried here, although the service may not know the retry. */
    readonly replaced: ReadonlySet<string | undefined>;
    /** What it answers. */
    readonly promptId: string | undefined;
    /** Whether no message here has an id yet. */
    isFree(id: string): boolean;
    /** Its id when the service gives none. */
    readonly name: string;
  },
): ConversationMessage {
  const wire = readWireMessage(entry);
  const isOwn = wire.role === 'user';
  const wireIds = [isOwn ? wire.clientMessageId : undefined, wire.messageId];
  const id = wireIds.find((one) => one !== undefined && options.isFree(one)) ?? options.name;
  const created = Date.parse(nonEmptyString(entry['created_on']) ?? '');
  // in one copy: there may be thousands
  return {
    ...wire,
    id,
    status: isOwn ? 'sent' : 'complete',
    runKey: isOwn ? id : options.promptId,
    createdAt: Number.isNaN(created) ? options.at : created,
    superseded: options.superseded || (isOwn && options.replaced.has(wire.clientMessageId)),
    answers: {},
    transcription: undefined,
    extras: isOwn ? extrasOf(entry, ofStorage) : undefined,
  };
}

/** What the service adds to a message that it keeps. */
const ofStorage = ['id', 'thread_id', 'run_id', 'created_on'];

/** A run of the past, of which only its messages are left; the last, without an answer, may still be going on. */
function storedRun({
  runId,
  prompt,
  answer,
  isLast,
}: {
  readonly runId: string;
  readonly prompt: ConversationMessage;
  /** The last one. */
  readonly answer: ConversationMessage | undefined;
  readonly isLast: boolean;
}): Run {
  const isOpen = isLast && !answer && !prompt.superseded;
  return {
    ...blankRun({ id: prompt.id, promptId: prompt.id, startedAt: prompt.createdAt }),
    runId,
    status: isOpen ? 'interrupted' : 'completed',
    endedAt: answer?.createdAt ?? prompt.createdAt,
    done: !isOpen,
  };
}

/**
 * What is known here of stored messages: by the service's id, or by the visitor's own; without either, by the run and
 * what it says, or only by what it says where the service names nothing.
 */
class OwnMessages {
  readonly #messages: readonly ConversationMessage[];
  readonly #runIds: ReadonlyMap<string | undefined, string | undefined>;
  readonly #byId = new Map<string, ConversationMessage[]>();
  readonly #byClientId = new Map<string, ConversationMessage[]>();
  readonly #unnamed: ConversationMessage[] = [];
  readonly #taken = new Set<ConversationMessage>();

  constructor({ messages, runs }: Conversation) {
    this.#messages = messages;
    this.#runIds = new Map(runs.map(({ id, runId }) => [id, runId]));
    for (const message of messages) {
      if (message.messageId !== undefined) {
        addTo(this.#byId, message.messageId, message);
        continue;
      }
      this.#unnamed.push(message);
      if (message.clientMessageId !== undefined) addTo(this.#byClientId, message.clientMessageId, message);
    }
  }

  /** The one that a stored message is; each is found once. */
  take(read: ConversationMessage, runId: string | undefined): ConversationMessage | undefined {
    const { messageId, clientMessageId } = read;
    const isFree = (message: ConversationMessage): boolean => !this.#taken.has(message);
    const found =
      (messageId === undefined ? undefined : this.#byId.get(messageId)?.find(isFree)) ??
      (clientMessageId === undefined ? undefined : this.#byClientId.get(clientMessageId)?.find(isFree)) ??
      this.#unnamed.find((message) => isFree(message) && this.#isSame(message, read, runId));
    if (found) this.#taken.add(found);
    return found;
  }

  #isSame(own: ConversationMessage, read: ConversationMessage, runId: string | undefined): boolean {
    if (own.role !== read.role || own.status === 'queued' || own.status === 'rejected') return false;
    const isOfRun = runId !== undefined && this.#runIds.get(own.runKey) === runId;
    if (isOfRun) return own.role === 'user' || messageText(read).startsWith(messageText(own));
    return read.messageId === undefined && messageText(own) === messageText(read);
  }

  /** Those that were not found, by the id of the found one they stand before; those after all without one. */
  rest(): ReadonlyMap<string | undefined, readonly ConversationMessage[]> {
    const rest = new Map<string | undefined, ConversationMessage[]>();
    let waiting: ConversationMessage[] = [];
    for (const message of this.#messages) {
      if (!this.#taken.has(message)) {
        waiting.push(message);
        continue;
      }
      rest.set(message.id, waiting);
      waiting = [];
    }
    return rest.set(undefined, waiting);
  }
}

function messageText({ items }: ConversationMessage): string {
  return items.map(({ text }) => text).join('\n');
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** Where a run's prompt stands; runs without one come last. */
function promptIndex(order: ReadonlyMap<string, number>, run: Run): number {
  return order.get(run.promptId) ?? Number.MAX_SAFE_INTEGER;
}

/**
 * Returns the places of the messages that led to the last one. A visitor's message with a known `parent_message_id`
 * follows that message; every other message follows the one before it, so turns that ran at the same time are all
 * included. A visitor's message whose parent is a visitor's message replaces that one.
 * @assumed a message without a parent follows the one before it, as in our service
 */
function activeBranch(entries: readonly Fields[]): ReadonlySet<number> {
  const places = new Map(entries.map((entry, index) => [nonEmptyString(entry['id']), index]));
  const isVisitors = (index: number): boolean => asObject(entries[index])['role'] === 'user';
  const parentOf = (index: number): number | undefined => {
    const parent = nonEmptyString(asObject(entries[index])['parent_message_id']);
    return parent === undefined ? undefined : places.get(parent);
  };
  const before = (index: number): number => {
    const parent = isVisitors(index) ? parentOf(index) : undefined;
    if (parent === undefined || parent >= index) return index - 1;
    return isVisitors(parent) ? before(parent) : parent;
  };
  const branch = new Set<number>();
  for (let index = entries.length - 1; index >= 0; index = before(index)) branch.add(index);
  // an edited turn may be answered after the turn that replaced it
  for (const index of branch) {
    const prompt = isVisitors(index) ? undefined : parentOf(index);
    if (prompt !== undefined && isVisitors(prompt) && !branch.has(prompt)) branch.delete(index);
  }
  return branch;
}
