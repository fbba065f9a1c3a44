import { createMessage, createRun, createStep } from '../conversation/factories.ts';
import type {
  Conversation,
  ConversationItem,
  ConversationMessage,
  ItemAnswer,
  Run,
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
  const messages = unique(fieldList(stored['messages']).flatMap(readMessage));
  const ids = new Set(messages.map((message) => message.id));
  const runs = unique(fieldList(stored['runs']).flatMap(readRun)).filter((run) => ids.has(run.promptId));
  const known = new Set(runs.map((run) => run.id));
  return {
    threadId: nonEmptyString(stored['threadId']),
    messages: messages.map((message) => settled(message, known)),
    runs,
    context: isObject(stored['context']) ? stored['context'] : undefined,
    ...(isObject(stored['feedback']) ? { feedback: stored['feedback'] } : {}),
  };
}

function readMessage(stored: Fields): readonly ConversationMessage[] {
  const id = nonEmptyString(stored['id']);
  const role = nonEmptyString(stored['role']);
  if (id === undefined || role === undefined) return [];
  const connection = stored['connection'];
  const transcription = stored['transcription'];
  const replaced = names(stored['replacedClientMessageIds']);
  return [
    {
      ...createMessage({
        id,
        role,
        status: oneOf(
          stored['status'],
          ['queued', 'sending', 'sent', 'rejected', 'streaming', 'complete'],
          'complete',
        ),
        runKey: nonEmptyString(stored['runKey']),
        createdAt: numberOf(stored['createdAt']) ?? 0,
      }),
      messageId: nonEmptyString(stored['messageId']),
      items: unique(fieldList(stored['items']).flatMap(readStoredItem)),
      parentMessageId: nonEmptyString(stored['parentMessageId']),
      displayText: nonEmptyString(stored['displayText']),
      hidden: stored['hidden'] === true,
      interim: stored['interim'] === true,
      steps: unique(fieldList(stored['steps']).flatMap(readStep)),
      connection: isObject(connection)
        ? {
            status: nonEmptyString(connection['status']) ?? '',
            message: nonEmptyString(connection['message']) ?? '',
          }
        : undefined,
      mentions: fieldList(stored['mentions']) as readonly Mention[], // open objects; readers check each field
      documentIds: names(stored['documentIds']),
      additionalProperties: isObject(stored['additionalProperties'])
        ? stored['additionalProperties']
        : undefined,
      messageState: isObject(stored['messageState']) ? stored['messageState'] : undefined,
      answers: readAnswers(stored['answers']),
      transcription: isObject(transcription)
        ? { text: nonEmptyString(transcription['text']) ?? '', final: transcription['final'] === true }
        : undefined,
      clientMessageId: nonEmptyString(stored['clientMessageId']),
      ...(replaced.length > 0 ? { replacedClientMessageIds: replaced } : {}),
      extras: isObject(stored['extras']) ? stored['extras'] : undefined,
      superseded: stored['superseded'] === true,
    },
  ];
}

function readStoredItem(stored: Fields): readonly ConversationItem[] {
  const id = nonEmptyString(stored['id']);
  if (id === undefined || !isObject(stored['source'])) return [];
  const source: ContentItem = stored['source'];
  return [readItem(source, id)];
}

function readStep(stored: Fields): readonly RunStep[] {
  const id = nonEmptyString(stored['id']);
  if (id === undefined) return [];
  return [
    {
      ...createStep(id, oneOf(stored['kind'], ['tool', 'step', 'plan', 'note'], 'step')),
      name: nonEmptyString(stored['name']) ?? '',
      agentName: nonEmptyString(stored['agentName']),
      status: oneOf(stored['status'], ['pending', 'active', 'done', 'failed', 'stopped'], 'done'),
      input: stored['input'],
      output: nonEmptyString(stored['output']),
      error: nonEmptyString(stored['error']),
      parentId: nonEmptyString(stored['parentId']),
    },
  ];
}

function readRun(stored: Fields): readonly Run[] {
  const id = nonEmptyString(stored['id']);
  const promptId = nonEmptyString(stored['promptId']);
  if (id === undefined || promptId === undefined) return [];
  const status = oneOf(
    stored['status'],
    ['submitted', 'streaming', 'waiting', 'completed', 'failed', 'expired', 'cancelled', 'interrupted'],
    'interrupted',
  );
  const endedAt = numberOf(stored['endedAt']);
  const wasOn =
    status === 'submitted' || status === 'streaming' || (status === 'waiting' && endedAt === undefined);
  const failure = asObject(stored['failure']);
  const startedAt = numberOf(stored['startedAt']) ?? 0;
  const lastEventId = nonEmptyString(stored['lastEventId']);
  return [
    {
      ...createRun({ id, promptId, startedAt }),
      runId: nonEmptyString(stored['runId']),
      route: oneOf(stored['route'], ['run', 'callback'], 'run'),
      agentId: nonEmptyString(stored['agentId']),
      status: wasOn ? 'interrupted' : status,
      steps: unique(fieldList(stored['steps']).flatMap(readStep)),
      thinking: nonEmptyString(stored['thinking']) ?? '',
      thinkingAt: numberOf(stored['thinkingAt']),
      plan: unique(fieldList(stored['plan']).flatMap(readStep)),
      summary: nonEmptyString(stored['summary']) ?? '',
      failure: wasOn
        ? { kind: 'interrupted', reason: '', retryable: true, retryAfter: undefined }
        : readFailure(failure),
      endedAt: endedAt ?? startedAt,
      lastEventId,
      needsReply: stored['needsReply'] === true && !wasOn,
      done: stored['done'] === true,
      stopUnconfirmed: stored['stopUnconfirmed'] === true,
      openMessageId: nonEmptyString(stored['openMessageId']),
      applied: {
        recent: [],
        floor: lastEventId,
        ambiguous: asObject(stored['applied'])['ambiguous'] === true,
      },
    },
  ];
}

const failureKinds =
  'run expired interrupted network timeout auth token forbidden not-found too-large invalid rate-limit server format guardrail';
type FailureKind = NonNullable<Run['failure']>['kind'];
type WordOf<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | WordOf<Rest> : Text;

/** Does not compile if a kind is missing above: a reload would drop such failures. */
export type MissingKinds = None<Exclude<FailureKind, WordOf<typeof failureKinds>>>;
type None<Forgotten extends never> = Forgotten;

function readFailure(stored: Fields): Run['failure'] {
  const kind = failureKinds.split(' ').find((known) => known === stored['kind']);
  if (kind === undefined) return undefined;
  return {
    kind: kind as FailureKind, // one of the list above
    reason: nonEmptyString(stored['reason']) ?? '',
    forVisitor: stored['forVisitor'] === true || undefined,
    retryable: stored['retryable'] === true,
    retryAfter: undefined,
    status: numberOf(stored['status']),
    url: nonEmptyString(stored['url']),
    requestId: nonEmptyString(stored['requestId']),
  };
}

function readAnswers(stored: unknown): ConversationMessage['answers'] {
  return Object.fromEntries(
    Object.entries(asObject(stored)).flatMap(([itemId, answer]): [string, ItemAnswer][] =>
      isObject(answer)
        ? [
            [
              itemId,
              {
                action: oneOf(answer['action'], ['submit', 'cancel', 'choose'], 'submit'),
                data: answer['data'],
              },
            ],
          ]
        : [],
    ),
  );
}

/** A message that was being sent counts as sent. A streaming message without a stored run counts as complete. */
function settled(message: ConversationMessage, runs: ReadonlySet<string>): ConversationMessage {
  if (message.status === 'sending') return { ...message, status: 'sent' };
  const isOrphan =
    message.status === 'streaming' && !(message.runKey !== undefined && runs.has(message.runKey));
  return isOrphan ? { ...message, status: 'complete' } : message;
}

function unique<Value extends { readonly id: string }>(values: readonly Value[]): readonly Value[] {
  const seen = new Set<string>();
  return values.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function fieldList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((name) => nonEmptyString(name) ?? []) : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function oneOf<const Name extends string>(
  value: unknown,
  allowed: readonly Name[],
  otherwise: NoInfer<Name>,
): Name {
  return allowed.find((name) => name === value) ?? otherwise;
}
