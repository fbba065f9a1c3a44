import { activeBranch } from '../protocol/active-branch.ts';
import type { ContentItem } from '../protocol/index.ts';
import { isObject, isTooDeep, shallowArrayEquals } from '../protocol/json.ts';
import { deviceTime, serviceTime } from '../protocol/service-clock.ts';
import { createRun } from './factories.ts';
import type { Conversation, ConversationMessage, ItemAnswer, Run } from './conversation.ts';
import { readFailure } from './read-failure.ts';
import { asObject, nonEmptyString, readTime } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { extrasOf, readWireMessage, hasContent, storedTime } from './read-message.ts';
import { replaceItems } from './items.ts';
import { isUnderWay } from './run-status.ts';
import { withFields } from './update.ts';
import { withoutPasswords } from './form-schema.ts';

/**
 * Merges a thread's stored messages into the conversation. Known messages stay the same objects, messages that the
 * service does not have keep their places, and replaced turns stay hidden.
 * @param stored messages of the service, oldest first
 * @param options.at milliseconds since the epoch, for messages without a creation time
 * @param options.isReading whether a run is being read here: its messages come from its stream
 */
export function mergeHistory(
  conversation: Conversation,
  stored: readonly unknown[],
  { at, isReading = false }: { readonly at: number; readonly isReading?: boolean },
): Conversation {
  const own = new OwnMessages(conversation);
  const activeRuns = isReading ? conversation.runs.filter(isUnderWay) : [];
  const { messages, prompts, answers } = mergeMessages(conversation, entriesOf(stored), {
    own,
    activeRuns,
    at,
  });
  const rest = own.rest();
  const whole = withAnswers([
    ...messages.flatMap((message) => [...(rest.get(message.id) ?? []), message]),
    ...(rest.get(undefined) ?? []),
  ]);
  const ownRuns = conversation.runs.map((run) =>
    activeRuns.includes(run) ? run : settledRun(run, answers.get(run.id), at),
  );
  const isOpened = conversation.messages.length === 0;
  const known = new Set(conversation.runs.flatMap(({ id, runId }) => [id, runId]));
  const lastPrompt = messages.findLast(({ role }) => role === 'user');
  const pastRuns = [...prompts]
    .filter(([runId, { id }]) => !known.has(id) && !known.has(runId))
    .map(([runId, prompt]) => {
      const isLast = prompt.id === lastPrompt?.id;
      return storedRun({ runId, prompt, answer: answers.get(prompt.id), isLast, at });
    })
    .map((run) => (isOpened && run.done ? begunEarlier(run) : run));
  if (
    pastRuns.length === 0 &&
    shallowArrayEquals(whole, conversation.messages) &&
    shallowArrayEquals(ownRuns, conversation.runs)
  )
    return conversation;
  const order = new Map(whole.map((message, index) => [message.id, index]));
  const runs = [...ownRuns, ...pastRuns].sort(
    (left, right) => promptIndex(order, left) - promptIndex(order, right),
  );
  return { ...conversation, messages: whole, runs };
}

/** How many callback messages have come after everything that was known of a conversation; 0 if nothing was known. */
export function countNewCallbacks({ messages: known }: Conversation, merged: Conversation): number {
  const ids = new Set(known.map(({ id }) => id));
  const lastKnown = merged.messages.findLastIndex(({ id }) => ids.has(id));
  const later = lastKnown < 0 ? [] : merged.messages.slice(lastKnown + 1);
  return later.filter(({ role, runKey }) => role !== 'user' && runKey === undefined).length;
}

/** The stored messages that can be read, each id once. */
function entriesOf(stored: readonly unknown[]): readonly Fields[] {
  const seen = new Set<string>();
  const readable = stored.filter(isObject).filter((entry) => !isTooDeep(entry));
  return readable.filter((entry) => {
    const id = nonEmptyString(entry['id']);
    const isNew = id === undefined || !seen.has(id);
    if (id !== undefined) seen.add(id);
    return isNew;
  });
}

/** The messages of the service, merged with the known ones. */
interface MergedMessages {
  readonly messages: readonly ConversationMessage[];
  /** The first prompt of each run, by the service's run id. */
  readonly prompts: ReadonlyMap<string, ConversationMessage>;
  /** The last answer of each run, by the id of its prompt. */
  readonly answers: ReadonlyMap<string | undefined, ConversationMessage>;
}

function mergeMessages(
  conversation: Conversation,
  entries: readonly Fields[],
  options: { readonly own: OwnMessages; readonly activeRuns: readonly Run[]; readonly at: number },
): MergedMessages {
  const { own, activeRuns, at } = options;
  const branch = new Set(activeBranch(entries));
  const ids = new Set(conversation.messages.map(({ id }) => id));
  const replaced = new Set(
    conversation.messages.flatMap((message) => message.replacedClientMessageIds ?? []),
  );
  // a retried turn keeps its local id, the `client_message_id` of the stored turn that it replaced: that id may be in
  // use
  const isUnused = (id: string): boolean => !ids.has(id);
  // a stopped answer stays as the visitor saw it, although the service may have stored more
  const stopped = new Set(conversation.runs.flatMap(({ id, status }) => (status === 'cancelled' ? id : [])));
  const live = new Set(activeRuns.flatMap((run) => [run.id, run.runId]));
  const messages: ConversationMessage[] = [];
  const prompts = new Map<string, ConversationMessage>();
  const answers = new Map<string | undefined, ConversationMessage>();
  entries.forEach((entry, index) => {
    const runId = nonEmptyString(entry['run_id']);
    const prompt = runId === undefined ? undefined : prompts.get(runId);
    const read = readStored(entry, {
      at,
      superseded: !branch.has(entry) || prompt?.superseded === true,
      replaced,
      promptId: prompt?.id,
      isUnused,
      fallbackId: unusedId(index, isUnused),
    });
    const known = own.take(read, runId);
    if (!known && read.role !== 'user') {
      const isRead = runId !== undefined && (live.has(runId) || (prompt && live.has(prompt.id)));
      const isEmpty = entry['content'] == null && !hasContent(read);
      if (isRead || isEmpty || (prompt && stopped.has(prompt.id))) return;
    }
    const message = known ?? read;
    const merged = known ? withFields(known, newsOf(known, read, entry)) : read;
    ids.add(message.id);
    if (message.role === 'user' && runId !== undefined && !prompt) prompts.set(runId, message);
    if (message.id !== message.runKey) answers.set(message.runKey, merged);
    messages.push(merged);
  });
  return { messages, prompts, answers };
}

/** Closes forms that were answered elsewhere: otherwise they could be submitted again, and their data would be lost. */
function withAnswers(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  const given = new Map<string, readonly ContentItem[]>(); // by the id of the question
  for (const { role, status, superseded, parentMessageId, items } of messages) {
    if (role !== 'user' || status !== 'sent' || superseded || parentMessageId === undefined) continue;
    const operations = items.flatMap(({ type, source }) => (type === 'form_operation' ? [source] : []));
    given.set(parentMessageId, [...(given.get(parentMessageId) ?? []), ...operations]);
  }
  return messages.map((message) => {
    const operations = given.get(message.messageId ?? '');
    if (!operations || message.role === 'user') return message;
    const answers = message.items.flatMap(({ id, source }): readonly [string, ItemAnswer][] => {
      const operation = operations.find((one) => String(one.id ?? '') === (nonEmptyString(source.id) ?? id));
      const action = operation?.form_operation;
      if (!operation || Object.hasOwn(message.answers, id)) return [];
      if (action !== 'submit' && action !== 'cancel') return [];
      return [[id, { action, data: withoutPasswords(source, dataOf(operation, source)) }]];
    });
    if (answers.length === 0) return message;
    return { ...message, answers: { ...message.answers, ...Object.fromEntries(answers) } };
  });
}

/** The data of a submission: those of a form of a single value are wrapped. */
function dataOf({ form_data: data }: ContentItem, { json_schema: schema }: ContentItem): unknown {
  const type = asObject(schema)['type'] ?? 'object';
  return type === 'object' ? data : asObject(data)['value'];
}

function unusedId(index: number, isUnused: (id: string) => boolean): string {
  let id = `history-${index}`;
  while (!isUnused(id)) id += '+';
  return id;
}

/**
 * The fields of a known message that the service decides: its id, its time, the states of its decisions, and whether
 * it was replaced on another device.
 */
function newsOf(
  known: ConversationMessage,
  read: ConversationMessage,
  entry: Fields,
): Partial<ConversationMessage> {
  const items =
    holdsQuestion(known) && known.role !== 'user' ? replaceItems(known.items, read.items) : known.items;
  const createdAt = storedTime(entry) ?? known.createdAt;
  const superseded = known.superseded || read.superseded;
  return { messageId: known.messageId ?? read.messageId, createdAt, items, superseded };
}

function readStored(
  entry: Fields,
  options: {
    readonly at: number;
    readonly superseded: boolean;
    /** `client_message_id`s of turns that were retried here. The service may not know about the retry. */
    readonly replaced: ReadonlySet<string | undefined>;
    /** Id of the message that it answers. */
    readonly promptId: string | undefined;
    /** Whether no message of the conversation has the id. */
    isUnused(id: string): boolean;
    /** The message's id if the service sends none that is free. */
    readonly fallbackId: string;
  },
): ConversationMessage {
  const wire = readWireMessage(entry);
  const isOwn = wire.role === 'user';
  const wireIds = [isOwn ? wire.clientMessageId : undefined, wire.messageId];
  const id = wireIds.find((one) => one !== undefined && options.isUnused(one)) ?? options.fallbackId;
  // one object literal instead of several spreads: there may be thousands of messages
  return {
    ...wire,
    id,
    status: isOwn ? 'sent' : 'complete',
    runKey: isOwn ? id : options.promptId,
    createdAt: storedTime(entry) ?? options.at,
    superseded: options.superseded || (isOwn && options.replaced.has(wire.clientMessageId)),
    answers: {},
    transcription: undefined,
    extras: isOwn ? extrasOf(entry, storageFields) : undefined,
  };
}

/** Fields that the service adds to a stored message. */
const storageFields = ['id', 'thread_id', 'run_id', 'created_on'];

/**
 * Creates a past run from its messages. The last run may still be active if it has no answer, and waits for the visitor
 * while a decision of its answer is open.
 */
function storedRun({
  runId,
  prompt,
  answer,
  isLast,
  at,
}: {
  readonly runId: string;
  readonly prompt: ConversationMessage;
  /** The last answer of the run. */
  readonly answer: ConversationMessage | undefined;
  readonly isLast: boolean;
  /** The current time, in ms since the epoch. */
  readonly at: number;
}): Run {
  const isOpen = isLast && !answer && !prompt.superseded;
  const needsReply = isLast && answer !== undefined && asksStill(answer, at);
  const ended = earlyEnd(answer);
  // an open run ends by this device's clock, so it has to begin by the same clock
  const startedAt = isOpen ? deviceTime(prompt.createdAt) : prompt.createdAt;
  return {
    ...createRun({ id: prompt.id, startedAt }),
    runId,
    needsReply,
    status: isOpen ? 'interrupted' : needsReply ? 'waiting' : (ended ?? 'completed'),
    failure: ended && ended !== 'cancelled' ? readFailure(asObject(answer?.messageState)) : undefined,
    endedAt: answer?.createdAt ?? prompt.createdAt,
    done: !isOpen,
  };
}

/**
 * Dates a run that had ended when its thread was opened before this page, so that it does not count as new. By the
 * service's clock, it may have begun later.
 */
function begunEarlier(run: Run): Run {
  return { ...run, startedAt: Math.min(run.startedAt, Math.floor(performance.timeOrigin)) };
}

/** How a run ended whose answer was stored as partial. @assumed the interface has no status of a stored message */
function earlyEnd(answer: ConversationMessage | undefined): 'failed' | 'expired' | 'cancelled' | undefined {
  const status = answer?.messageState?.['run_status'];
  return status === 'failed' || status === 'expired' || status === 'cancelled' ? status : undefined;
}

/** A run that waited for decisions which have expired, or were taken elsewhere, waits no longer. */
function settledRun(run: Run, answer: ConversationMessage | undefined, at: number): Run {
  const isSettled = answer !== undefined && holdsQuestion(answer) && !asksStill(answer, at);
  return run.needsReply && isSettled ? { ...run, needsReply: false, status: 'completed' } : run;
}

function holdsQuestion({ items }: ConversationMessage): boolean {
  return items.some(({ source }) => source.sub_type === 'tool_approval' || source['decision'] != null);
}

/**
 * Whether a message asks for a decision that is not taken yet, as far as the service said, and can be taken at `at`.
 */
function asksStill({ items }: ConversationMessage, at: number): boolean {
  return items.some(({ source }) => {
    const { sub_type: type, form_operation: operation, decision } = source;
    const { state = 'asked', expires_at: end = source['expires_at'] } = asObject(decision);
    const isLate = (readTime(end) ?? Infinity) <= serviceTime(at);
    const isQuestion = type === 'tool_approval' || decision != null;
    return isQuestion && operation == null && state === 'asked' && !isLate;
  });
}

/**
 * Finds the local message of a stored one: by the service's id or by `client_message_id`. Without such an id, by run
 * and text, or by text alone if the service sends no id.
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

  /** Finds the local message of a stored one. Returns each local message at most once. */
  take(read: ConversationMessage, runId: string | undefined): ConversationMessage | undefined {
    const { messageId, clientMessageId } = read;
    const isUnmatched = (message: ConversationMessage): boolean => !this.#taken.has(message);
    const found =
      (messageId === undefined ? undefined : this.#byId.get(messageId)?.find(isUnmatched)) ??
      (clientMessageId === undefined
        ? undefined
        : this.#byClientId.get(clientMessageId)?.find(isUnmatched)) ??
      this.#unnamed.find((message) => isUnmatched(message) && this.#isSame(message, read, runId));
    if (found) this.#taken.add(found);
    return found;
  }

  #isSame(own: ConversationMessage, read: ConversationMessage, runId: string | undefined): boolean {
    if (own.role !== read.role || own.status === 'queued' || own.status === 'rejected') return false;
    const isOfRun = runId !== undefined && this.#runIds.get(own.runKey) === runId;
    if (isOfRun) return own.role === 'user' || messageText(read).startsWith(messageText(own));
    return read.messageId === undefined && messageText(own) === messageText(read);
  }

  /** The messages that were not found, by the id of the next message that was; key `undefined`: at the end. */
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

/** Index of a run's prompt. Runs without a prompt come last. */
function promptIndex(order: ReadonlyMap<string, number>, run: Run): number {
  return order.get(run.id) ?? Number.MAX_SAFE_INTEGER;
}
