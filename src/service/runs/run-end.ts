import type { StoredRunStatus } from '../storage/tables.ts';

/** Why a run ends before its agent is done. */
export type RunEndReason = 'cancelled' | 'expired' | 'stopping' | 'lost' | 'dead';

/** The abort reason of a run's signal. */
export class RunAborted extends Error {
  override readonly name = 'RunEnded';
  readonly reason: RunEndReason;

  constructor(reason: RunEndReason) {
    super(`the run was aborted: ${reason}`);
    this.reason = reason;
  }
}

/** The status and the event of each reason. */
export const runEnds: Readonly<
  Record<RunEndReason, { status: StoredRunStatus; event: string; data: Readonly<Record<string, unknown>> }>
> = {
  cancelled: { status: 'cancelled', event: 'run.cancelled', data: {} },
  expired: {
    status: 'expired',
    event: 'run.expired',
    data: { reason: 'time_limit', error: { code: 'time_limit', message: 'The answer took too long.' } },
  },
  stopping: {
    status: 'failed',
    event: 'run.failed',
    data: { reason: 'service stopping', error: { code: 'service_stopping', message: 'service stopping' } },
  },
  lost: {
    status: 'expired',
    event: 'run.expired',
    data: { reason: 'lease_lost', error: { code: 'lease_lost', message: 'The answer was interrupted.' } },
  },
  dead: {
    status: 'expired',
    event: 'run.expired',
    data: { reason: 'owner_died', error: { code: 'owner_died', message: 'The answer was interrupted.' } },
  },
};
