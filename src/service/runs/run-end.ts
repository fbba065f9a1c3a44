import { AgentFailure, ServiceFailure } from '../agents/agent.ts';
import type { StoredRunStatus } from '../storage/tables.ts';

/** Why a run ends before its agent is done. */
export type RunEndReason = 'cancelled' | 'unread' | 'deleted' | 'expired' | 'stopping' | 'lost' | 'dead';

/** The abort reason of a run's signal. */
export class RunAborted extends Error {
  override readonly name = 'RunAborted';
  readonly reason: RunEndReason;

  constructor(reason: RunEndReason) {
    super(`the run was aborted: ${reason}`);
    this.reason = reason;
  }
}

/** How a run ends. */
export interface RunEnd {
  readonly status: StoredRunStatus;
  /** The terminal event. */
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Why, for the log; absent where `data` says it. */
  readonly reason?: string;
  /** Whether the answer so far is complete. */
  readonly completesAnswer?: boolean;
}

export const runEnds: Readonly<Record<RunEndReason, RunEnd>> = {
  cancelled: cancelled('cancel_requested'),
  unread: cancelled('unread'),
  deleted: cancelled('deleted'),
  expired: expired('time_limit', 'The answer took too long.'),
  stopping: {
    status: 'failed',
    event: 'run.failed',
    data: { reason: 'service stopping', error: { code: 'service_stopping', message: 'service stopping' } },
  },
  lost: expired('lease_lost', 'The answer was interrupted.'),
  dead: expired('owner_died', 'The answer was interrupted.'),
};

function cancelled(reason: string): RunEnd {
  return { status: 'cancelled', event: 'run.cancelled', data: {}, reason };
}

function expired(code: string, message: string): RunEnd {
  return { status: 'expired', event: 'run.expired', data: { reason: code, error: { code, message } } };
}

/** The end of a run by an error. Only an `AgentFailure` is explained; `audience` marks an author's own words. */
export function failureOf(error: unknown): RunEnd {
  const { code, message } =
    error instanceof AgentFailure
      ? error
      : { code: 'agent_error', message: 'The agent could not answer. Please try again.' };
  const isAuthors = error instanceof AgentFailure && !(error instanceof ServiceFailure);
  const audience = isAuthors ? { audience: 'visitor' } : {};
  const retryAfter = error instanceof ServiceFailure ? error.retryAfter : undefined;
  return {
    status: 'failed',
    event: 'run.failed',
    // clients say of a guardrail that this cannot be answered here, and offer no retry
    data: {
      reason: code === 'upstream_declined' ? 'guardrail' : code,
      error: {
        code,
        message,
        ...audience,
        ...(retryAfter !== undefined && { retry_after: Math.ceil(retryAfter) }),
      },
    },
  };
}

/** The failure of a run whose events cannot be stored. */
export function answerNotStored(cause?: unknown): ServiceFailure {
  return new ServiceFailure('not_stored', 'The answer could not be saved.', { cause });
}

/** The end of a run whose answer is whole, but could not be stored. */
export const notStored = failureOf(answerNotStored());
