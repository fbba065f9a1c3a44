import { createMessage, blankRun, createStep } from '../conversation/factories.ts';
import type {
  Conversation,
  ConversationItem,
  ConversationMessage,
  ItemAnswer,
  Run,
  RunStep,
} from '../conversation/index.ts';
import { fieldsOf, isFields, nameOf } from '../conversation/read-values.ts';
import type { Fields } from '../conversation/read-values.ts';
import { readItem } from '../conversation/items.ts';
import type { ContentItem, Mention } from '../protocol/index.ts';

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
  const start = conversation.messages.findIndex((message, place) => place >= cut && message.role === 'user');
  const from = cut && start;
  // an answer without what it answers could not be gone on with: it would seem to be whole
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

/** What the service has taken of a form is kept as its answer shows it, which knows what is secret. */
function withoutSecrets(
  message: ConversationMessage,
  messages: readonly ConversationMessage[],
): ConversationMessage {
  if (!message.items.some(isOperation)) return message;
  const answers = messages.find(({ messageId }) => messageId === message.parentMessageId)?.answers;
  const items = message.items.map((item) => {
    const data = answers?.[nameOf(item.source.id) ?? '']?.data;
    const kept = isFields(data) ? data : { value: data };
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
  const snapshot = fieldsOf(value);
  const stored = snapshot['conversation'];
  if (snapshot['version'] !== snapshotVersion || !isFields(stored) || !Array.isArray(stored['messages']))
    return undefined;
  const messages = unique(fieldList(stored['messages']).flatMap(readMessage));
  const ids = new Set(messages.map((message) => message.id));
  const runs = unique(fieldList(stored['runs']).flatMap(readRun)).filter((run) => ids.has(run.promptId));
  const known = new Set(runs.map((run) => run.id));
  return {
    threadId: nameOf(stored['threadId']),
    messages: messages.map((message) => settled(message, known)),
    runs,
    context: isFields(stored['context']) ? stored['context'] : undefined,
    ...(isFields(stored['feedback']) ? { feedback: stored['feedback'] } : {}),
  };
}

function readMessage(stored: Fields): readonly ConversationMessage[] {
  const id = nameOf(stored['id']);
  const role = nameOf(stored['role']);
  if (id === undefined || role === undefined) return [];
  const connection = stored['connection'];
  const transcription = stored['transcription'];
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
        runKey: nameOf(stored['runKey']),
        createdAt: numberOf(stored['createdAt']) ?? 0,
      }),
      messageId: nameOf(stored['messageId']),
      items: unique(fieldList(stored['items']).flatMap(readStoredItem)),
      parentMessageId: nameOf(stored['parentMessageId']),
      displayText: nameOf(stored['displayText']),
      hidden: stored['hidden'] === true,
      interim: stored['interim'] === true,
      steps: unique(fieldList(stored['steps']).flatMap(readStep)),
      connection: isFields(connection)
        ? { status: nameOf(connection['status']) ?? '', message: nameOf(connection['message']) ?? '' }
        : undefined,
      mentions: fieldList(stored['mentions']) as readonly Mention[], // open objects; readers check each field
      documentIds: names(stored['documentIds']),
      additionalProperties: isFields(stored['additionalProperties'])
        ? stored['additionalProperties']
        : undefined,
      messageState: isFields(stored['messageState']) ? stored['messageState'] : undefined,
      answers: readAnswers(stored['answers']),
      transcription: isFields(transcription)
        ? { text: nameOf(transcription['text']) ?? '', final: transcription['final'] === true }
        : undefined,
      clientMessageId: nameOf(stored['clientMessageId']),
      extras: isFields(stored['extras']) ? stored['extras'] : undefined,
      superseded: stored['superseded'] === true,
    },
  ];
}

function readStoredItem(stored: Fields): readonly ConversationItem[] {
  const id = nameOf(stored['id']);
  if (id === undefined || !isFields(stored['source'])) return [];
  const source: ContentItem = stored['source'];
  return [readItem(source, id)];
}

function readStep(stored: Fields): readonly RunStep[] {
  const id = nameOf(stored['id']);
  if (id === undefined) return [];
  return [
    {
      ...createStep(id, oneOf(stored['kind'], ['tool', 'step', 'plan', 'note'], 'step')),
      name: nameOf(stored['name']) ?? '',
      agentName: nameOf(stored['agentName']),
      status: oneOf(stored['status'], ['pending', 'active', 'done', 'failed', 'stopped'], 'done'),
      input: stored['input'],
      output: nameOf(stored['output']),
      error: nameOf(stored['error']),
      parentId: nameOf(stored['parentId']),
    },
  ];
}

function readRun(stored: Fields): readonly Run[] {
  const id = nameOf(stored['id']);
  const promptId = nameOf(stored['promptId']);
  if (id === undefined || promptId === undefined) return [];
  const status = oneOf(
    stored['status'],
    ['submitted', 'streaming', 'waiting', 'completed', 'failed', 'expired', 'cancelled', 'interrupted'],
    'interrupted',
  );
  const endedAt = numberOf(stored['endedAt']);
  const wasOn =
    status === 'submitted' || status === 'streaming' || (status === 'waiting' && endedAt === undefined);
  const failure = fieldsOf(stored['failure']);
  const startedAt = numberOf(stored['startedAt']) ?? 0;
  const lastEventId = nameOf(stored['lastEventId']);
  return [
    {
      ...blankRun({ id, promptId, startedAt }),
      runId: nameOf(stored['runId']),
      route: oneOf(stored['route'], ['run', 'callback'], 'run'),
      agentId: nameOf(stored['agentId']),
      status: wasOn ? 'interrupted' : status,
      steps: unique(fieldList(stored['steps']).flatMap(readStep)),
      thinking: nameOf(stored['thinking']) ?? '',
      plan: unique(fieldList(stored['plan']).flatMap(readStep)),
      summary: nameOf(stored['summary']) ?? '',
      failure: wasOn
        ? { kind: 'interrupted', reason: '', retryable: true, retryAfter: undefined }
        : readFailure(failure),
      endedAt: endedAt ?? startedAt,
      lastEventId,
      needsReply: stored['needsReply'] === true && !wasOn,
      done: stored['done'] === true,
      stopUnconfirmed: stored['stopUnconfirmed'] === true,
      openMessageId: nameOf(stored['openMessageId']),
      applied: {
        recent: [],
        floor: lastEventId,
        ambiguous: fieldsOf(stored['applied'])['ambiguous'] === true,
      },
    },
  ];
}

const failureKinds =
  'run expired interrupted network timeout auth token forbidden not-found too-large invalid rate-limit server format guardrail';
type FailureKind = NonNullable<Run['failure']>['kind'];
type WordOf<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | WordOf<Rest> : Text;

/** A kind that is forgotten above does not compile: a reload would drop it. */
export type ForgottenKinds = None<Exclude<FailureKind, WordOf<typeof failureKinds>>>;
type None<Forgotten extends never> = Forgotten;

function readFailure(stored: Fields): Run['failure'] {
  const kind = failureKinds.split(' ').find((known) => known === stored['kind']);
  if (kind === undefined) return undefined;
  return {
    kind: kind as FailureKind, // one of the list above
    reason: nameOf(stored['reason']) ?? '',
    retryable: stored['retryable'] === true,
    retryAfter: undefined,
    status: numberOf(stored['status']),
    url: nameOf(stored['url']),
    requestId: nameOf(stored['requestId']),
  };
}

function readAnswers(stored: unknown): ConversationMessage['answers'] {
  return Object.fromEntries(
    Object.entries(fieldsOf(stored)).flatMap(([itemId, answer]): [string, ItemAnswer][] =>
      isFields(answer)
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

/** A message that was being sent went out, as far as anyone knows; one whose run is not stored is complete. */
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
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((name) => nameOf(name) ?? []) : [];
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
