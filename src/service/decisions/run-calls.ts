import type { Store } from '../storage/store.ts';
import type { CallEnd, CallRecord, NewCall, RunCalls } from '../tools/tool-call.ts';
import { endCall, insertCalls, toRecord, type CallOwner, type CallRow } from './call-store.ts';

/** The calls of a thread in the database, as one run sees and extends them. */
export class StoredRunCalls implements RunCalls {
  readonly #store: Store;
  readonly #owner: CallOwner;
  #records: readonly CallRecord[];
  #round = 0;

  /** @param rows the calls of the run's branch, oldest first */
  constructor(store: Store, owner: CallOwner, rows: readonly CallRow[]) {
    this.#store = store;
    this.#owner = owner;
    this.#records = rows.map((row) => toRecord(row, Date.now()));
  }

  get records(): readonly CallRecord[] {
    return this.#records;
  }

  async add(calls: readonly NewCall[]): Promise<readonly CallRecord[]> {
    const round = (this.#round += 1);
    const rows = await this.#store.transaction(async (database) => {
      const last = await database
        .selectFrom('tool_calls')
        .select((select) => select.fn.max('position').as('position'))
        .where('thread_id', '=', this.#owner.threadId)
        .executeTakeFirst();
      const position = Math.max(Date.now(), Number(last?.position ?? 0) + 1);
      return insertCalls(database, this.#owner, calls, { round, position, expiresOn: 0 });
    });
    const added = rows.map((row) => toRecord(row, Date.now()));
    this.#records = [...this.#records, ...added];
    return added;
  }

  async settle(id: string, end: CallEnd): Promise<CallRecord> {
    const { runId } = this.#owner;
    const row = await this.#store.transaction((database) => endCall(database, id, { runId, end }));
    if (!row) throw new Error('the thread of a tool call was deleted');
    const record = toRecord(row, Date.now());
    this.#records = this.#records.map((one) => (one.id === id ? record : one));
    return record;
  }
}
