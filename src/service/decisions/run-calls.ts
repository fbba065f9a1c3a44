import { isOutage } from '../storage/database-error.ts';
import type { Store } from '../storage/store.ts';
import type {
  AskedQuestion,
  CallEnd,
  CallQuestion,
  CallRecord,
  JsonObject,
  NewCall,
  RunCalls,
} from '../tools/tool-call.ts';
import type { AuditCall } from './call-audit.ts';
import {
  claimCall,
  endCall,
  expireCall,
  findCall,
  insertCalls,
  holdRun,
  questionRound,
  stateOf,
  toRecord,
  type CallOwner,
  type CallRow,
} from './call-store.ts';

/** Waits for a change in the thread, at most some ms. Resolves when `signal` aborts. */
type ThreadChanged = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Poll interval for answers, in case a notification from another instance is lost. */
const pollIntervalMs = 5_000;

/** The calls of a thread in the database, as one run sees and extends them. */
export class StoredRunCalls implements RunCalls {
  readonly isAnswer: boolean;
  readonly #store: Store;
  readonly #owner: CallOwner;
  readonly #auditCall: AuditCall;
  readonly #threadChanged: ThreadChanged;
  #records: readonly CallRecord[];
  #round = 0;

  /**
   * @param options.rows the calls of the run's branch, oldest first
   * @param options.isAnswer whether the run's message answers a decision
   */
  constructor(options: {
    readonly store: Store;
    readonly owner: CallOwner;
    readonly rows: readonly CallRow[];
    readonly isAnswer: boolean;
    readonly auditCall: AuditCall;
    readonly threadChanged: ThreadChanged;
  }) {
    this.#threadChanged = options.threadChanged;
    this.#store = options.store;
    this.#owner = options.owner;
    this.#auditCall = options.auditCall;
    this.isAnswer = options.isAnswer;
    this.#records = options.rows.map((row) => toRecord(row, Date.now()));
  }

  get records(): readonly CallRecord[] {
    return this.#records;
  }

  get resumed(): readonly CallRecord[] {
    return this.#records.filter(({ resumedRun }) => resumedRun === this.#owner.runId);
  }

  async add(calls: readonly NewCall[], expiresInMs: number): Promise<readonly CallRecord[]> {
    const rows = await this.#insert(calls, (this.#round += 1), expiresInMs);
    const added = rows.map((row) => toRecord(row, Date.now()));
    this.#records = [...this.#records, ...added];
    return added;
  }

  async ask({ title, schema }: CallQuestion, expiresInMs: number): Promise<AskedQuestion> {
    const [row] = await this.#insert(
      [{ name: title, args: {}, state: 'asked', schema }],
      questionRound,
      expiresInMs,
    );
    return { id: row?.id ?? '', expiresOn: row?.expires_on ?? undefined };
  }

  async answered(
    id: string,
    { signal, gone }: { readonly signal: AbortSignal; readonly gone: AbortSignal },
  ): Promise<JsonObject | 'declined' | 'expired'> {
    const either = AbortSignal.any([signal, gone]);
    for (;;) {
      signal.throwIfAborted();
      const changed = this.#threadChanged(pollIntervalMs, either);
      try {
        const answer = await this.#readAnswer(id, gone);
        if (answer) return answer;
      } catch (error) {
        if (!isOutage(error)) throw error;
        if (gone.aborted) return 'expired';
      }
      await changed;
    }
  }

  /** Returns the answer to a question; `undefined` while it is open. */
  async #readAnswer(id: string, gone: AbortSignal): Promise<JsonObject | 'declined' | 'expired' | undefined> {
    const { database } = this.#store;
    if (gone.aborted) await expireCall(database, id);
    const row = await findCall(database, id);
    const state = row ? stateOf(row, Date.now()) : 'expired';
    if (row && state === 'approved') return JSON.parse(row.args) as JsonObject; // as checked with the decision
    if (state === 'asked') return undefined;
    return state === 'declined' ? state : 'expired';
  }

  /** @throws Error when the run has ended: its agent may go on for a moment, and its thread may be deleted */
  #insert(calls: readonly NewCall[], round: number, expiresInMs: number): Promise<CallRow[]> {
    const { runId } = this.#owner;
    const { shared } = this.#store;
    return this.#store.transaction(async (database) => {
      if (!(await holdRun(database, { runId, shared }))) throw new Error('the run of a tool call has ended');
      const last = await database
        .selectFrom('tool_calls')
        .select((select) => select.fn.max('position').as('position'))
        .where('thread_id', '=', this.#owner.threadId)
        .executeTakeFirst();
      const now = Date.now();
      const position = Math.max(now, Number(last?.position ?? 0) + 1);
      return insertCalls(database, this.#owner, calls, { round, position, expiresOn: now + expiresInMs });
    });
  }

  async claim(id: string): Promise<{ claimed: boolean; call: CallRecord }> {
    const { runId } = this.#owner;
    const { shared } = this.#store;
    const { claimed, row } = await this.#store.transaction(async (database) => ({
      claimed: await claimCall(database, id, { runId, shared }),
      row: await findCall(database, id),
    }));
    return { claimed, call: this.#replace(row) };
  }

  async settle(id: string, end: CallEnd): Promise<CallRecord> {
    const { runId } = this.#owner;
    const row = await this.#store.transaction((database) => endCall(database, id, { runId, end }));
    if (row?.needs_approval) this.#auditCall(row, row.state);
    return this.#replace(row);
  }

  #replace(row: CallRow | undefined): CallRecord {
    if (!row) throw new Error('the thread of a tool call was deleted');
    const record = toRecord(row, Date.now());
    this.#records = this.#records.map((one) => (one.id === row.id ? record : one));
    return record;
  }
}
