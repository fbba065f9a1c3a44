import { startRuns, type NewRun, type StartedRun } from '../../../src/service/storage/start-runs.ts';
import type { Store } from '../../../src/service/storage/store.ts';

/** A visitor's first message to the agent `echo`. */
export const newRun: NewRun = {
  reach: { tenantId: 'quay', subject: 'ada' },
  author: 'ada',
  threadId: undefined,
  agentId: 'echo',
  message: { role: 'user', content: 'hello' },
  clientMessageId: undefined,
  contentHash: 'hash',
  owner: 'this one',
  leaseMs: 30_000,
  admit: () => undefined,
  admitNew: () => undefined,
};

/** Stores `newRun`, with other values where given. @throws when the store starts no run */
export async function startTestRun(store: Store, values: Partial<NewRun> = {}): Promise<StartedRun> {
  const [started] = await startRuns(store, [{ ...newRun, ...values }]);
  if (started?.kind !== 'started') throw new Error(started?.kind);
  return started;
}
