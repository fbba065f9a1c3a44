import type { Store } from '../storage/store.ts';
import type { CallEnd, CallRecord, NewCall, RunCalls } from '../tools/tool-call.ts';
import type { Audit } from './audit.ts';
import {
  claimCall,
  endCall,
  findCall,
  insertCalls,
  toRecord,
  type CallOwner,
  type CallRow,
} from './call-store.ts';

/** The calls of a thread in the database, as one run sees and extends them. */
export class StoredRunCalls implements RunCalls {
  readonly isAnswer: boolean;
  readonly #store: Store;
  readonly #owner: CallOwner;
  readonly #audit: Audit;
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
    readonly audit: Audit;
  }) {
    this.#store = options.store;
    this.#owner = options.owner;
    this.#audit = options.audit;
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
    const round = (this.#round += 1);
    const rows = await this.#store.transaction(async (database) => {
      const last = await database
        .selectFrom('tool_calls')
        .select((select) => select.fn.max('position').as('position'))
        .where('thread_id', '=', this.#owner.threadId)
        .executeTakeFirst();
      const now = Date.now();
      const position = Math.max(now, Number(last?.position ?? 0) + 1);
      return insertCalls(database, this.#owner, calls, { round, position, expiresOn: now + expiresInMs });
    });
    const added = rows.map((row) => toRecord(row, Date.now()));
    this.#records = [...this.#records, ...added];
    return added;
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
    if (row?.needs_approval) this.#audit(row, row.state);
    return this.#replace(row);
  }

  #replace(row: CallRow | undefined): CallRecord {
    if (!row) throw new Error('the thread of a tool call was deleted');
    const record = toRecord(row, Date.now());
    this.#records = this.#records.map((one) => (one.id === row.id ? record : one));
    return record;
  }
}
