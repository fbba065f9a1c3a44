import { createMessage, createRun, createStep } from '../conversation/factories.ts';
import { emptyConversation, interruption } from '../conversation/index.ts';
import type { Conversation, ConversationItem, ConversationMessage, Run } from '../conversation/index.ts';
import { asObject, nonEmptyString } from '../conversation/read-values.ts';
import { isUnderWay } from '../conversation/run-status.ts';
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
  const runs = conversation.runs.filter((run) => ids.has(run.id)).map(withoutMomentary);
  const taken = new Set(runs.flatMap((run) => ((run.runId ?? run.status === 'completed') ? [run.id] : [])));
  const kept = messages.map((message) =>
    taken.has(message.id) ? withoutSecrets(message, messages) : message,
  );
  return { version: snapshotVersion, conversation: { ...conversation, messages: kept, runs } };
}

/** Leaves out what is of use only while the run is read, and the delay before a retry. */
function withoutMomentary(run: Run): Run {
  return {
    ...run,
    statusLine: undefined,
    unplacedItems: undefined,
    failure: run.failure && { ...run.failure, retryAfter: undefined },
    applied: { ...run.applied, recent: [], floor: run.lastEventId },
  };
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

const blankMessage = createMessage({ id: '', role: '', status: 'complete', runKey: undefined, createdAt: 0 });
const blankRun = createRun({ id: '', startedAt: 0 });

const step = { ...createStep('', 'step'), agentName: '', output: '', error: '', parentId: '' };

/** A stored conversation in which each field has a value of its type. Those that may be anything have none. */
const example = {
  threadId: '',
  context: {},
  feedback: {},
  messages: [
    {
      ...blankMessage,
      messageId: '',
      items: [{ id: '', type: '', text: '', source: {} }],
      runKey: '',
      parentMessageId: '',
      displayText: '',
      steps: [step],
      connection: { status: '', message: '' },
      transcription: { text: '', final: false },
      clientMessageId: '',
      replacedClientMessageIds: [''],
      extras: {},
    },
  ],
  runs: [
    {
      ...blankRun,
      runId: '',
      agentId: '',
      steps: [step],
      thinkingAt: 0,
      plan: [step],
      failure: { ...interruption(''), forVisitor: false, status: 0, url: '', requestId: '' },
      endedAt: 0,
      lastEventId: '',
      openMessageId: '',
    },
  ],
};

/** Whether a stored value has the type of the example, and each of its fields that of the example's field. */
function isLike(stored: unknown, like: unknown): boolean {
  if (Array.isArray(like))
    return Array.isArray(stored) && (like.length === 0 || stored.every((value) => isLike(value, like[0])));
  if (!isObject(like)) return typeof stored === typeof like;
  if (!isObject(stored)) return false;
  return Object.entries(like).every(
    ([key, field]) => field === undefined || stored[key] === undefined || isLike(stored[key], field),
  );
}

/**
 * Restores a conversation from a snapshot; absent fields get their default. A run that was in progress becomes
 * `interrupted`, so that it can be resumed.
 * @returns undefined when the value is not a snapshot of this version, or a field has another type
 */
export function readSnapshot(value: unknown): Conversation | undefined {
  const { version, conversation } = asObject(value);
  if (version !== snapshotVersion || !isObject(conversation) || !isLike(conversation, example))
    return undefined;
  const stored = { ...emptyConversation, ...(conversation as Partial<Conversation>) }; // as checked
  const messages = stored.messages.map((message) => ({ ...blankMessage, ...message }));
  if (!messages.every(({ answers }) => Object.values(answers).every(isObject))) return undefined;
  const runs = stored.runs.map((run) => settledRun({ ...blankRun, ...run }));
  const known = new Set(runs.map(({ id }) => id));
  return { ...stored, messages: messages.map((message) => settledMessage(message, known)), runs };
}

/** A message that was being sent counts as sent. A streaming message without a stored run counts as complete. */
function settledMessage(
  message: ConversationMessage,
  runs: ReadonlySet<string | undefined>,
): ConversationMessage {
  if (message.status === 'sending') return { ...message, status: 'sent' };
  const isOrphan = message.status === 'streaming' && !runs.has(message.runKey);
  return isOrphan ? { ...message, status: 'complete' } : message;
}

/** A run that was in progress counts as interrupted, unless it waits for the visitor's reply. */
function settledRun(run: Run): Run {
  if (run.needsReply && isUnderWay(run)) return run;
  const { status, endedAt, startedAt } = run;
  const wasOn =
    status === 'submitted' || status === 'streaming' || (status === 'waiting' && endedAt === undefined);
  return {
    ...run,
    ...(wasOn && { status: 'interrupted', failure: interruption('') }),
    endedAt: endedAt ?? startedAt,
  };
}
