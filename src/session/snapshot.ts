import type {
  Conversation,
  ConversationItem,
  ConversationMessage,
  ItemAnswer,
  Run,
  RunFailure,
  RunStep,
} from '../conversation/index.ts';
import { asObject, nonEmptyString } from '../conversation/read-values.ts';
import type { Fields } from '../conversation/read-values.ts';
import { readItem } from '../conversation/items.ts';
import type { ContentItem, Mention } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';

/** Version of the stored format. Other versions are ignored. */
const snapshotVersion = 1;

/** Maximum number of stored messages; the last ones are kept. */
const messageLimit = 200;

/** A stored conversation: plain data without tokens and events. */
export interface Snapshot {
  readonly version: typeof snapshotVersion;
  readonly conversation: Conversation;
}

/** Creates the snapshot of a conversation: complete turns from the end. */
export function snapshotOf(conversation: Conversation, limit = messageLimit): Snapshot {
  const cut = Math.max(0, conversation.messages.length - limit);
  const start = conversation.messages.findIndex((message, index) => index >= cut && message.role === 'user');
  const from = cut && start;
  // drop answers without their prompt: they could not be resumed and would look complete
  const messages = conversation.messages
    .slice(from < 0 ? cut : from)
    .filter(({ runKey }) => from >= 0 || runKey === undefined);
  const ids = new Set(messages.map((message) => message.id));
  const runs = conversation.runs
    .filter((run) => ids.has(run.promptId))
    .map((run) => ({ ...run, applied: { ...run.applied, recent: [], floor: run.lastEventId } }));
  const taken = new Set(
    runs.flatMap((run) => ((run.runId ?? run.status === 'completed') ? [run.promptId] : [])),
  );
  const kept = messages.map((message) =>
    taken.has(message.id) ? withoutSecrets(message, messages) : message,
  );
  return { version: snapshotVersion, conversation: { ...conversation, messages: kept, runs } };
}

/** Replaces the data of accepted form submissions with that of the recorded answers, which contain no passwords. */
function withoutSecrets(
  message: ConversationMessage,
  messages: readonly ConversationMessage[],
): ConversationMessage {
  if (!message.items.some(isOperation)) return message;
  const answers = messages.find(({ messageId }) => messageId === message.parentMessageId)?.answers;
  const items = message.items.map((item) => {
    const data = answers?.[nonEmptyString(item.source.id) ?? '']?.data;
    const kept = isObject(data) ? data : { value: data };
    return data && isOperation(item) ? { ...item, source: { ...item.source, form_data: kept } } : item;
  });
  return { ...message, items };
}

function isOperation({ type }: ConversationItem): boolean {
  return type === 'form_operation';
}

/**
 * Restores a conversation from a snapshot, field by field; invalid fields are ignored. A run that was in progress
 * becomes `interrupted`, so that it can be resumed.
 * @returns undefined when the value is not a snapshot of this version
 */
export function readSnapshot(value: unknown): Conversation | undefined {
  const snapshot = asObject(value);
  const stored = snapshot['conversation'];
  if (snapshot['version'] !== snapshotVersion || !isObject(stored) || !Array.isArray(stored['messages']))
    return undefined;
  const messages = listOf(messageReaders)(stored['messages']).filter(({ role }) => role);
  const ids = new Set(messages.map((message) => message.id));
  const runs = listOf(runReaders)(stored['runs']).filter((run) => ids.has(run.promptId));
  const known = new Set(runs.map((run) => run.id));
  return {
    threadId: text(stored['threadId']),
    messages: messages.map((message) => settledMessage(message, known)),
    runs: runs.map(settledRun),
    context: object(stored['context']),
    ...(isObject(stored['feedback']) ? { feedback: stored['feedback'] } : {}),
  };
}

/** A function for each field, which reads it from what is stored. A field without one does not compile. */
type Readers<Value> = { readonly [Key in keyof Required<Value>]: (stored: unknown) => Value[Key] };

function readFields<Value>(stored: Fields, readers: Readers<Value>): Value {
  const entries = Object.entries<(stored: unknown) => unknown>(readers);
  return Object.fromEntries(entries.map(([key, read]) => [key, read(stored[key])])) as Value; // all of its fields
}

/** Reads a list of values with ids, each id once. */
function listOf<Value extends { readonly id: string }>(
  readers: Readers<Value>,
): (stored: unknown) => readonly Value[] {
  return (stored) => unique(objects(stored).map((entry) => readFields(entry, readers)));
}

const text = nonEmptyString;
const textOrNone = (stored: unknown): string => text(stored) ?? '';
const texts = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.flatMap((value) => text(value) ?? []) : [];
const flag = (stored: unknown): boolean => stored === true;
const number = (stored: unknown): number | undefined =>
  typeof stored === 'number' && Number.isFinite(stored) ? stored : undefined;
const object = (stored: unknown): Fields | undefined => (isObject(stored) ? stored : undefined);
const objects = (stored: unknown): readonly Fields[] =>
  Array.isArray(stored) ? stored.filter(isObject) : [];
const notStored = (): undefined => undefined;

function oneOf<const Name extends string>(
  allowed: readonly Name[],
  otherwise: NoInfer<Name>,
): (stored: unknown) => Name {
  return (stored) => allowed.find((name) => name === stored) ?? otherwise;
}

/** Reads the fields of an object, if there is one. */
function optional<Value>(readers: Readers<Value>): (stored: unknown) => Value | undefined {
  return (stored) => (isObject(stored) ? readFields(stored, readers) : undefined);
}

const stepReaders: Readers<RunStep> = {
  id: textOrNone,
  kind: oneOf(['tool', 'step', 'plan', 'note'], 'step'),
  name: textOrNone,
  agentName: text,
  status: oneOf(['pending', 'active', 'done', 'failed', 'stopped'], 'done'),
  input: (stored) => stored,
  output: text,
  error: text,
  parentId: text,
};

const messageReaders: Readers<ConversationMessage> = {
  id: textOrNone,
  messageId: text,
  role: textOrNone,
  items: (stored) => unique(objects(stored).flatMap(readStoredItem)),
  status: oneOf(['queued', 'sending', 'sent', 'rejected', 'streaming', 'complete'], 'complete'),
  runKey: text,
  createdAt: (stored) => number(stored) ?? 0,
  parentMessageId: text,
  displayText: text,
  hidden: flag,
  interim: flag,
  steps: listOf(stepReaders),
  connection: optional({ status: textOrNone, message: textOrNone }),
  mentions: (stored) => objects(stored) as readonly Mention[], // open objects; readers check each field
  documentIds: texts,
  additionalProperties: object,
  messageState: object,
  answers: readAnswers,
  transcription: optional({ text: textOrNone, final: flag }),
  clientMessageId: text,
  replacedClientMessageIds: (stored) => (Array.isArray(stored) ? texts(stored) : undefined),
  extras: object,
  superseded: flag,
};

/** A kind that is missing here does not compile: a reload would lose it. */
const failureKinds: Readonly<Record<RunFailure['kind'], true>> = {
  run: true,
  expired: true,
  interrupted: true,
  network: true,
  timeout: true,
  auth: true,
  token: true,
  forbidden: true,
  'not-found': true,
  'too-large': true,
  invalid: true,
  'rate-limit': true,
  server: true,
  format: true,
  guardrail: true,
};

const failureReaders: Readers<RunFailure> = {
  kind: oneOf(Object.keys(failureKinds) as RunFailure['kind'][], 'run'), // the keys are the kinds
  reason: textOrNone,
  forVisitor: (stored) => flag(stored) || undefined,
  retryable: flag,
  retryAfter: notStored,
  status: number,
  url: text,
  requestId: text,
};

const runReaders: Readers<Run> = {
  id: textOrNone,
  runId: text,
  agentId: text,
  route: oneOf(['run', 'callback'], 'run'),
  promptId: textOrNone,
  status: oneOf(
    ['submitted', 'streaming', 'waiting', 'completed', 'failed', 'expired', 'cancelled', 'interrupted'],
    'interrupted',
  ),
  steps: listOf(stepReaders),
  thinking: textOrNone,
  thinkingAt: number,
  plan: listOf(stepReaders),
  summary: textOrNone,
  statusLine: notStored,
  failure: optional(failureReaders),
  startedAt: (stored) => number(stored) ?? 0,
  endedAt: number,
  lastEventId: text,
  needsReply: flag,
  done: flag,
  stopUnconfirmed: flag,
  openMessageId: text,
  unplacedItems: notStored,
  applied: (stored) => ({
    recent: [],
    floor: undefined,
    ambiguous: flag(asObject(stored)['ambiguous']),
  }),
};

function readStoredItem(stored: Fields): readonly ConversationItem[] {
  const id = text(stored['id']);
  if (id === undefined || !isObject(stored['source'])) return [];
  const source: ContentItem = stored['source'];
  return [readItem(source, id)];
}

function readAnswers(stored: unknown): ConversationMessage['answers'] {
  return Object.fromEntries(
    Object.entries(asObject(stored))
      .filter(([, answer]) => isObject(answer))
      .map(([itemId, answer]): [string, ItemAnswer] => [itemId, readFields(asObject(answer), answerReaders)]),
  );
}

const answerReaders: Readers<ItemAnswer> = {
  action: oneOf(['submit', 'cancel', 'choose'], 'submit'),
  data: (stored) => stored,
};

/** A message that was being sent counts as sent. A streaming message without a stored run counts as complete. */
function settledMessage(message: ConversationMessage, runs: ReadonlySet<string>): ConversationMessage {
  if (message.status === 'sending') return { ...message, status: 'sent' };
  const isOrphan =
    message.status === 'streaming' && !(message.runKey !== undefined && runs.has(message.runKey));
  return isOrphan ? { ...message, status: 'complete' } : message;
}

/** A run that was in progress counts as interrupted. */
function settledRun(run: Run): Run {
  const { status, endedAt, startedAt, lastEventId } = run;
  const wasOn =
    status === 'submitted' || status === 'streaming' || (status === 'waiting' && endedAt === undefined);
  return {
    ...run,
    ...(wasOn ? interrupted : {}),
    endedAt: endedAt ?? startedAt,
    applied: { ...run.applied, floor: lastEventId },
  };
}

const interrupted: Partial<Run> = {
  status: 'interrupted',
  failure: { kind: 'interrupted', reason: '', retryable: true, retryAfter: undefined },
  needsReply: false,
};

/** The values with an id, each id once. */
function unique<Value extends { readonly id: string }>(values: readonly Value[]): readonly Value[] {
  const seen = new Set<string>();
  return values.filter(({ id }) => id && !seen.has(id) && seen.add(id));
}
