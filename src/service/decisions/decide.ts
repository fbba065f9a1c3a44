import type { Message, StoredMessage, ToolDecision } from '../../protocol/index.ts';
import { isObject, sameJson } from '../../protocol/json.ts';
import { invalid, notFound, Problem } from '../errors/problem.ts';
import { listMessages } from '../storage/messages.ts';
import type { Database } from '../storage/store.ts';
import { argumentErrors } from '../tools/check-arguments.ts';
import { readPageAnswer } from '../tools/page-tools.ts';
import { pageServer } from '../tools/tool-call.ts';
import { answersIn, asksFor, pageFields, type CallAnswer } from './call-answers.ts';
import { endedWithRun, hashOf, questionRound, stateOf, storable, type CallRow } from './call-store.ts';
import { decisionOf } from './show-decisions.ts';

const maxReasonLength = 2_000;
/** Most answers of a message: each one takes statements, while the thread is locked. */
const maxAnswers = 100;
/** How many of the newest messages an agent's own question may be in, and their bytes. */
const searched = { limit: 200, bytes: 4 * 1024 * 1024 };

/** The run whose message may decide. */
export interface DecidingRun {
  readonly runId: string;
  readonly threadId: string;
  readonly agentId: string;
  /** Who decides: a subject or `key:<id>`. */
  readonly author: string;
}

/** Whether a message may answer a decision, or a call of a page tool. */
export function mayDecide({ content }: Message): boolean {
  return answersIn(content).length > 0;
}

/**
 * Stores the decisions and page tool results that a message contains, in the transaction that stores the message and
 * its run: the thread is locked. The first answer to a call is in force. The run that answers the last open call of a
 * round continues the round. The same answer again continues a round whose run broke off.
 * @returns the answered calls, and those of them that are decided now: all but those of a repeated answer
 * @throws Problem 404 for an unknown call, 409 with the decision in force, 422 for arguments that break the schema, and
 * for too many answers
 */
export async function decide(
  database: Database,
  run: DecidingRun,
  message: Message,
): Promise<{ readonly answered: readonly CallRow[]; readonly decided: readonly CallRow[] }> {
  const answers = answersIn(message.content);
  if (answers.length > maxAnswers)
    throw invalid(['body', 'message', 'content'], `must have at most ${maxAnswers} answers`, 'too_long');
  let thread: Promise<readonly StoredMessage[]> | undefined;
  const readThread = (): Promise<readonly StoredMessage[]> =>
    (thread ??= listMessages(database, run.threadId, searched).then((all) =>
      all.map(({ stored }) => stored),
    ));
  const answered: CallRow[] = [];
  const decided: CallRow[] = [];
  for (const answer of answers) {
    const isPages = answer.kind === 'page-tool';
    const row = await database
      .selectFrom('tool_calls')
      .selectAll()
      .where('id', '=', storable(answer.id))
      .where('thread_id', '=', run.threadId)
      .where('needs_approval', '=', 1)
      .where('server', isPages ? '=' : '!=', pageServer)
      .executeTakeFirst();
    if (row) {
      const call = await (isPages ? takeResult : decideOne)(database, run, { ...answer, row });
      answered.push(call);
      if (call !== row) decided.push(call);
    } else if (answer.kind !== 'form') await checkAgentsOwn(database, run, answer, await readThread());
  }
  const rounds = new Map(answered.map((row) => [`${row.run_id} ${row.round}`, row]));
  for (const row of rounds.values()) await continueRound(database, run, row);
  return { answered, decided };
}

/**
 * Checks the answer to a question that an agent asked by itself, without a call of ours. The agent reads the answer; a
 * second one is refused, unless the run of the first broke off.
 * @throws Problem 404 when no agent asked, 409 with the decision in force
 */
async function checkAgentsOwn(
  database: Database,
  run: DecidingRun,
  answer: CallAnswer,
  thread: readonly StoredMessage[],
): Promise<void> {
  const { kind, id, idLoc } = answer;
  const asking = thread.findLastIndex(
    ({ role, content }) =>
      role !== 'user' && Array.isArray(content) && content.some((item) => asksFor(item, answer)),
  );
  if (asking < 0) throw notFound(kind === 'page-tool' ? 'page tool call' : 'decision', idLoc);
  for (const { role, content, run_id: runId } of thread.slice(asking + 1)) {
    if (role !== 'user' || runId == null || runId === run.runId) continue;
    const former = answersIn(content).find((one) => one.kind === kind && one.id === id);
    if (former && !(await brokeOff(database, runId))) throw alreadyDecided(id, ownDecision(former), idLoc);
  }
}

/** The decision in an answer to a question that an agent asked by itself. */
function ownDecision({ kind, item }: CallAnswer): ToolDecision {
  const isApproval =
    kind === 'page-tool'
      ? pageFields(item, 'page_tool_result')['error'] !== 'declined'
      : item.form_operation === 'submit';
  const reason = item['reason'];
  return {
    state: isApproval ? 'approved' : 'declined',
    ...(!isApproval && typeof reason === 'string' ? { reason } : {}),
  };
}

type AnsweredCall = CallAnswer & { readonly row: CallRow };

/** Stores a page's result of its tool call. The run that continues reads it. */
async function takeResult(
  database: Database,
  run: DecidingRun,
  { row, item, idLoc }: AnsweredCall,
): Promise<CallRow> {
  await askingRun(database, run, row);
  const answer = readPageAnswer(pageFields(item, 'page_tool_result'));
  const json = storable(JSON.stringify(answer));
  const now = Date.now();
  if (stateOf(row, now) !== 'asked') {
    if (row.answer === json && (await brokeOff(database, row.resumed_run))) return row;
    throw alreadyDecided(row.id, decisionOf(row, now), idLoc);
  }
  return database
    .updateTable('tool_calls')
    .set({
      state: answer.error === 'declined' ? 'declined' : 'approved',
      decided_on: now,
      decided_by: run.author,
      answer: json,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function decideOne(
  database: Database,
  run: DecidingRun,
  { row: stored, item, loc, idLoc }: AnsweredCall,
): Promise<CallRow> {
  const { form_operation: operation } = item;
  if (operation !== 'submit' && operation !== 'cancel')
    throw invalid([...loc, 'form_operation'], 'must be submit or cancel');
  const row = endedWithRun(stored, (await askingRun(database, run, stored)).status);
  const known = JSON.parse(row.args) as unknown; // written with the call
  const isApproval = operation === 'submit';
  const args = isApproval ? (item.form_data ?? known) : known;
  const isEdited = !sameJson(args, known);
  const now = Date.now();
  if (stateOf(row, now) !== 'asked') {
    const isSame = isApproval ? !isEdited && row.state !== 'declined' : row.state === 'declined';
    if (isSame && (await brokeOff(database, row.resumed_run))) return row;
    throw alreadyDecided(row.id, decisionOf(row, now), idLoc);
  }
  if (isApproval && (isEdited || row.round === questionRound)) checkArguments(row, args, loc);
  const json = JSON.stringify(args);
  const reason = item['reason'];
  const decided = await database
    .updateTable('tool_calls')
    .set({
      state: isApproval ? 'approved' : 'declined',
      decided_on: now,
      decided_by: run.author,
      reason:
        !isApproval && typeof reason === 'string' && reason !== ''
          ? storable(reason.slice(0, maxReasonLength))
          : null,
      ...(isEdited ? { args: storable(json), args_hash: hashOf(json), edited: 1 } : {}),
    })
    .where('id', '=', row.id)
    .where('state', '=', 'asked') // the lock of the thread does not keep it from expiring
    .returningAll()
    .executeTakeFirst();
  if (!decided) throw alreadyDecided(row.id, decisionOf({ ...row, state: 'expired' }, now), idLoc);
  return decided;
}

/**
 * Returns the run that asked. Only its agent may execute the call: another may have a tool of the same name.
 * @throws Problem 422 for another agent
 */
async function askingRun(
  database: Database,
  run: DecidingRun,
  row: CallRow,
): Promise<{ readonly status: string }> {
  const asking = await database
    .selectFrom('runs')
    .select(['agent_id', 'status'])
    .where('id', '=', row.run_id)
    .executeTakeFirst();
  if (asking?.agent_id !== run.agentId)
    throw invalid(['body', 'agent_id'], 'must be the agent that asked for this decision');
  return asking;
}

function checkArguments(row: CallRow, args: unknown, loc: CallAnswer['loc']): void {
  const schema: unknown = JSON.parse(row.input_schema ?? '{}');
  const errors = argumentErrors(isObject(schema) ? schema : {}, args);
  if (errors.length === 0) return;
  const dataLoc = [...loc, 'form_data'];
  throw new Problem(
    422,
    errors.map((msg) => ({ loc: dataLoc, msg, type: 'schema' })),
  );
}

/** Whether the run that was to continue after the decision ended without doing so. */
async function brokeOff(database: Database, id: string | null): Promise<boolean> {
  if (id === null) return false;
  const run = await database.selectFrom('runs').select('status').where('id', '=', id).executeTakeFirst();
  return run !== undefined && ['failed', 'expired', 'cancelled'].includes(run.status);
}

/** Makes the deciding run continue the round, unless another decision is open. */
async function continueRound(database: Database, run: DecidingRun, row: CallRow): Promise<void> {
  const round = await database
    .selectFrom('tool_calls')
    .select(['id', 'state', 'expires_on'])
    .where('run_id', '=', row.run_id)
    .where('round', '=', row.round)
    .where('needs_approval', '=', 1)
    .execute();
  const now = Date.now();
  if (round.some((one) => stateOf(one, now) === 'asked')) return;
  const ids = round.map(({ id }) => id);
  await database.updateTable('tool_calls').set({ resumed_run: run.runId }).where('id', 'in', ids).execute();
}

/** 409 with the decision in force. */
function alreadyDecided(id: string, decision: ToolDecision, loc: readonly string[]): Problem {
  const msg = `was decided before: ${decision.state}`;
  return new Problem(409, { loc: [...loc], msg, type: 'decided', decision: { id, ...decision } });
}
