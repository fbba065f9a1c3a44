import { own } from '../protocol/json.ts';
import type { ToolDecisionState } from '../protocol/tool-approval.ts';
import type { Conversation, ConversationItem, ConversationMessage, Run, RunStep } from './conversation.ts';
import { asObject, nonEmptyString, readTime, type Fields } from './read-values.ts';
import { refusalOf } from './refusal-of.ts';
import { refusalsKey } from './turns.ts';
import { findMessage, findRun, updateMessage, updateRun, withFields } from './update.ts';

/** The state of a decision, as far as this conversation shows it. */
export interface DecisionView {
  /**
   * As the service has it. `sending`: decided here, not confirmed. `undelivered`: decided here, but the service was
   * not reached. `settled`: decided elsewhere, with an outcome that is not known here. `closed`: the service does not
   * know the call any more.
   */
  readonly state: ToolDecisionState | 'sending' | 'undelivered' | 'settled' | 'closed';
  /** The arguments in force: those that were approved, else those that the agent asked for. */
  readonly data: Fields;
  /** Whether the visitor changed the arguments. */
  readonly isChanged: boolean;
  /** The visitor's reason to decline; `''`: none. */
  readonly reason: string;
  /** Why the call failed; `''`: unknown. */
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  readonly decidedAt: number | undefined;
  /** Why the service did not take the last attempt to decide, while it can be decided again. */
  readonly refusal: 'arguments' | 'forbidden' | undefined;
}

const serviceStates: ReadonlySet<string> = new Set<ToolDecisionState>([
  ...(['asked', 'approved', 'declined', 'expired', 'running', 'done', 'failed', 'unknown'] as const),
]);
/** The order of the states. Of the state that the service stored and the one that was seen here, the later is true. */
const progress: Readonly<Record<DecisionView['state'], number>> = {
  asked: 0,
  sending: 1,
  undelivered: 1,
  settled: 1,
  closed: 1,
  approved: 2,
  declined: 3,
  expired: 3,
  running: 3,
  done: 4,
  failed: 4,
  unknown: 4,
};

/**
 * The state of a decision: from the item, from the visitor's answers to it, and from the steps of later runs. The
 * first answer that the service took is in force.
 * @param item an item with the sub-type `tool_approval`
 */
export function readDecision(
  conversation: Conversation,
  question: ConversationMessage,
  item: ConversationItem,
): DecisionView {
  const { source } = item;
  const stored = asObject(source['decision']);
  const callId = nonEmptyString(source.id) ?? item.id;
  const answers = answersTo(conversation, callId);
  const answer = answers.find(({ run }) => !refusalOf(run));
  const said = storedState(stored);
  // one that was refused is about to be taken back, with the reason: see `withdrawDecision`
  const here = answer ? stateHere(answer) : answers[0] ? 'sending' : undefined;
  const step = stepStateOf(conversation, question, callId);
  const operation = answer?.operation ?? {};
  let state: DecisionView['state'] = said;
  // a decision that the service stored overrides one that was tried here
  if (here && said === 'asked') state = here;
  if (step && ['asked', 'sending', 'approved', 'running'].includes(state)) state = later(state, step.state);
  const status = own(asObject(question.messageState?.[refusalsKey]), item.id);
  if (state === 'asked') state = afterRefusal(status);
  const proposed = asObject(source.form_data);
  const approved = asObject(stored['form_data'] ?? (here ? operation['form_data'] : undefined));
  const isOwn = operation['form_operation'] === 'submit' || Object.keys(approved).length > 0;
  const data = isOwn && state !== 'declined' && state !== 'expired' ? approved : proposed;
  return {
    state,
    data,
    isChanged: JSON.stringify(data) !== JSON.stringify(proposed),
    reason: nonEmptyString(stored['reason']) ?? nonEmptyString(operation['reason']) ?? '',
    error: nonEmptyString(stored['error']) ?? step?.error ?? '',
    expiresAt: readTime(stored['expires_at'] ?? source['expires_at']),
    decidedAt: readTime(stored['decided_at']) ?? (state === 'asked' ? undefined : answer?.message.createdAt),
    refusal: whyOf(status),
  };
}

/**
 * The messages whose decision the service refused: nothing came of them, and their item can be decided again. Includes
 * answers that came too late for a question of a server.
 */
export function refusedDecisions({ messages, runs }: Conversation): readonly ConversationMessage[] {
  const asked = new Set(messages.flatMap(({ items }) => items.filter(isServerQuestion).map(({ id }) => id)));
  return messages.filter((message) => {
    if (message.role !== 'user' || !message.items.some(({ source }) => isOperation(source))) return false;
    const refusal = refusalOf(runs.find(({ id }) => id === message.id));
    const isLate = afterRefusal(refusal) !== 'asked' && message.items.some(({ id }) => asked.has(id));
    return refusal !== undefined && (isLate || message.items.some(isDecision));
  });
}

/**
 * Removes a refused decision, and notes at the question why it was refused. Its run waits again if it is
 * still open and the last one.
 */
export function withdrawDecision(conversation: Conversation, refused: ConversationMessage): Conversation {
  const status = refusalOf(findRun(conversation, refused.id));
  const item = refused.items.find(({ source }) => isOperation(source));
  if (!item || status === undefined || !findMessage(conversation, refused.id)) return conversation;
  const question = conversation.messages.findLast(({ items }) =>
    items.some((asked) => (isQuestion(asked.source) || isServerQuestion(asked)) && asked.id === item.id),
  );
  const rest: Conversation = {
    ...conversation,
    messages: conversation.messages.filter(({ id }) => id !== refused.id),
    runs: conversation.runs.filter(({ id }) => id !== refused.id),
  };
  const isOpen = afterRefusal(status) === 'asked' && rest.runs.at(-1)?.id === question?.runKey;
  const asking = isOpen
    ? updateRun(rest, question?.runKey, (run) => withFields(run, { needsReply: true, status: 'waiting' }))
    : rest;
  return updateMessage(asking, question?.id, (message) => {
    const { [item.id]: _withdrawn, ...answers } = message.answers;
    const known = asObject(message.messageState?.[refusalsKey]);
    return {
      ...message,
      answers,
      messageState: { ...message.messageState, [refusalsKey]: { ...known, [item.id]: status } },
    };
  });
}

/** Whether an item asks for a decision. */
export function isQuestion(source: Fields): boolean {
  return source['sub_type'] === 'tool_approval' && source['form_operation'] == null;
}

/** Whether an item is a question of a tool's server to the visitor. */
function isServerQuestion({ source }: ConversationItem): boolean {
  return source.json_schema != null && source['decision'] != null && !isOperation(source);
}

function isDecision({ source }: ConversationItem): boolean {
  return source.sub_type === 'tool_approval' && source.form_operation != null;
}

/** An answer to a decision, with its run. */
interface Answer {
  readonly message: ConversationMessage;
  readonly operation: Fields;
  readonly run: Run | undefined;
}

function answersTo({ messages, runs }: Conversation, callId: string): readonly Answer[] {
  return messages.flatMap((message): Answer[] => {
    if (message.role !== 'user') return [];
    const item = message.items.find(({ id, source }) => (source.id ?? id) === callId && isOperation(source));
    if (!item) return [];
    return [{ message, operation: item.source, run: runs.find(({ id }) => id === message.runKey) }];
  });
}

function isOperation({ form_operation: operation }: Fields): boolean {
  return operation === 'submit' || operation === 'cancel';
}

function stateHere({ message, operation, run }: Answer): DecisionView['state'] {
  if (message.status === 'queued') return 'sending';
  if (run && run.runId === undefined) {
    if (run.failure) return 'undelivered';
    if (run.status === 'submitted') return 'sending';
  }
  return operation['form_operation'] === 'submit' ? 'approved' : 'declined';
}

/** What an open question is after an attempt that the service refused with this status code. */
function afterRefusal(status: unknown): DecisionView['state'] {
  if (status === 409) return 'settled';
  return status === 404 || status === 410 ? 'closed' : 'asked';
}

function whyOf(status: unknown): DecisionView['refusal'] {
  if (status === 422 || status === 413) return 'arguments';
  return status === 403 ? 'forbidden' : undefined;
}

/** The state of the call itself, which is a step of a later run or of a stored answer. */
function stepStateOf(
  { runs, messages }: Conversation,
  question: ConversationMessage,
  callId: string,
): { readonly state: DecisionView['state']; readonly error: string | undefined } | undefined {
  const steps = [
    ...runs.filter(({ id }) => id !== question.runKey).flatMap((run) => run.steps),
    ...messages.filter(({ runKey }) => runKey !== question.runKey).flatMap((message) => message.steps),
  ].filter(({ id }) => id === callId);
  const [furthest] = steps.sort((one, other) => progress[ofStep(other)] - progress[ofStep(one)]);
  return furthest && { state: ofStep(furthest), error: furthest.error };
}

function ofStep({ status, output, error }: RunStep): DecisionView['state'] {
  // the run ended during the call
  if (status === 'stopped' || (status === 'failed' && output === undefined && error === undefined))
    return 'unknown';
  return status === 'done' || status === 'failed' ? status : 'running';
}

function later(one: DecisionView['state'], other: DecisionView['state']): DecisionView['state'] {
  return progress[other] > progress[one] ? other : one;
}

function storedState({ state, reason }: Fields): ToolDecisionState {
  if (state === 'declined' && reason === 'expired') return 'expired';
  // a member of the set is one of the states
  return typeof state === 'string' && serviceStates.has(state) ? (state as ToolDecisionState) : 'asked';
}
