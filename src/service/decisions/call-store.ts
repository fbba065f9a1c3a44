import { createHash, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../storage/store.ts';
import type { ToolCallsTable } from '../storage/tables.ts';
import type {
  CallEnd,
  CallRecord,
  CallState,
  NewCall,
  PageAnswer,
  VendorFields,
} from '../tools/tool-call.ts';

/** A stored call with its decision. */
export type CallRow = Selectable<ToolCallsTable>;

/** The round of questions of servers, which are decided like calls and are none. Rounds of calls start at 1. */
export const questionRound = 0;

/** Limits of the calls that a run gets: the newest ones and the bytes of their arguments and results. */
const history = { limit: 500, bytes: 4 * 1024 * 1024 };
const maxName = 200;

/** The run on whose behalf calls are stored. */
export interface CallOwner {
  readonly runId: string;
  readonly threadId: string;
  readonly tenantId: string;
}

/** Stores the calls of one round, in their order. */
export async function insertCalls(
  database: Database,
  owner: CallOwner,
  calls: readonly NewCall[],
  options: { readonly round: number; readonly position: number; readonly expiresOn: number },
): Promise<CallRow[]> {
  const now = Date.now();
  const rows = calls.map(({ name, args, vendorFields, state, tool, schema, result }, index): CallRow => {
    const isAsked = state === 'asked';
    const json = JSON.stringify(args ?? {});
    return {
      id: randomUUID(),
      tenant_id: owner.tenantId,
      thread_id: owner.threadId,
      run_id: owner.runId,
      position: options.position + index,
      round: options.round,
      name: storable(name).slice(0, maxName),
      server: tool?.server ?? '',
      title: storable(tool?.title ?? name).slice(0, maxName),
      args: storable(json),
      args_hash: hashOf(json),
      vendor_fields: vendorFields === undefined ? null : storable(JSON.stringify(vendorFields)),
      state,
      needs_approval: isAsked ? 1 : 0,
      idempotent: tool?.idempotent ? 1 : 0,
      input_schema: isAsked ? storable(JSON.stringify(schema ?? tool?.inputSchema ?? {})) : null,
      expires_on: isAsked ? options.expiresOn : null,
      decided_on: null,
      decided_by: null,
      reason: null,
      edited: 0,
      answer: null,
      resumed_run: null,
      executed_run: state === 'running' ? owner.runId : null,
      attempts: state === 'running' ? 1 : 0,
      result: result === undefined ? null : storable(result),
      is_error: state === 'failed' ? 1 : 0,
      created_on: now,
      ended_on: state === 'failed' ? now : null,
    };
  });
  await database.insertInto('tool_calls').values(rows).execute();
  return rows;
}

/**
 * Marks an approved call as running. Of all runs on all instances, one succeeds: the run that continues after the
 * decision, while it is active. A call with an unknown outcome can be taken once more if it is idempotent.
 */
export async function claimCall(
  database: Database,
  id: string,
  { runId, shared }: { readonly runId: string; readonly shared: boolean },
): Promise<boolean> {
  if (!(await holdRun(database, { runId, shared }))) return false;
  const claimed = await database
    .updateTable('tool_calls')
    .set((set) => ({
      state: 'running',
      executed_run: runId,
      attempts: set('attempts', '+', 1),
      ended_on: null,
    }))
    .where('id', '=', id)
    .where('resumed_run', '=', runId)
    .where((where) =>
      where.or([
        where('state', '=', 'approved'),
        where.and([where('state', '=', 'unknown'), where('idempotent', '=', 1), where('attempts', '=', 1)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Locks a run, so nobody ends it before the transaction ends. Returns whether it is active. */
export async function holdRun(
  database: Database,
  { runId, shared }: { readonly runId: string; readonly shared: boolean },
): Promise<boolean> {
  const run = database
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where('status', '=', 'running');
  return (await (shared ? run.forShare() : run).executeTakeFirst()) !== undefined;
}

/** Finds a call by its id. */
export function findCall(database: Database, id: string): Promise<CallRow | undefined> {
  return database.selectFrom('tool_calls').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Stores the end of a call that a run executes. A call that is not running any more stays as it is. */
export async function endCall(
  database: Database,
  id: string,
  { runId, end }: { readonly runId: string; readonly end: CallEnd },
): Promise<CallRow | undefined> {
  await database
    .updateTable('tool_calls')
    .set({
      state: end.state,
      result: storable(end.result),
      is_error: end.state === 'done' ? 0 : 1,
      ended_on: Date.now(),
    })
    .where('id', '=', id)
    .where('executed_run', '=', runId)
    .where('state', '=', 'running')
    .execute();
  return findCall(database, id);
}

/** Closes a question that nobody has answered, and nobody waits for any more. */
export async function expireCall(database: Database, id: string): Promise<void> {
  await database
    .updateTable('tool_calls')
    .set({ state: 'expired', ended_on: Date.now() })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .execute();
}

/** Returns the newest calls of some runs of a thread, oldest first. */
export async function callsOfRuns(
  database: Database,
  threadId: string,
  runIds: ReadonlySet<string>,
): Promise<CallRow[]> {
  if (runIds.size === 0) return [];
  const rows = await database
    .selectFrom('tool_calls')
    .selectAll()
    .where('thread_id', '=', threadId)
    .where('round', '!=', questionRound)
    .orderBy('position', 'desc')
    .limit(history.limit)
    .execute();
  let bytes = 0;
  const kept = rows.filter((row) => {
    if (!runIds.has(row.run_id)) return false;
    bytes += row.args.length + (row.vendor_fields?.length ?? 0) + (row.result?.length ?? 0);
    return bytes <= history.bytes;
  });
  return kept.reverse();
}

/** Converts a row for the tool loop. An open decision whose time has run out is expired. */
export function toRecord(row: CallRow, now: number): CallRecord {
  return {
    id: row.id,
    runId: row.run_id,
    round: row.round,
    name: row.name,
    server: row.server,
    title: row.title,
    args: JSON.parse(row.args) as unknown,
    vendorFields: row.vendor_fields === null ? undefined : (JSON.parse(row.vendor_fields) as VendorFields), // written by this room only
    state: stateOf(row, now),
    needsApproval: row.needs_approval === 1,
    idempotent: row.idempotent === 1,
    attempts: row.attempts,
    resumedRun: row.resumed_run ?? undefined,
    expiresOn: row.expires_on ?? undefined,
    reason: row.reason ?? undefined,
    edited: row.edited === 1,
    answer: row.answer === null ? undefined : (JSON.parse(row.answer) as PageAnswer), // written by this room only
    result: row.result ?? undefined,
    isError: row.is_error === 1,
  };
}

/** The state of a call. @param now in ms since the epoch */
export function stateOf(row: Pick<CallRow, 'state' | 'expires_on'>, now: number): CallState {
  const state = row.state as CallState; // written by this room only
  return state === 'asked' && row.expires_on !== null && row.expires_on <= now ? 'expired' : state;
}

/** A call as it stands by the status of its run: with that, a question of a server ends. */
export function endedWithRun<Row extends Pick<CallRow, 'state' | 'round'>>(row: Row, status: string): Row {
  const isOver = row.round === questionRound && row.state === 'asked' && status !== 'running';
  return isOver ? { ...row, state: 'expired' } : row;
}

/** The hash of arguments, as the audit line names them. @param json their JSON */
export function hashOf(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd');
}
