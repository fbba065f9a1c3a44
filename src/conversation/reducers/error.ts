import type { EventReducer } from '../reducer-types.ts';
import { readFailure } from '../read-failure.ts';
import { hasEnded } from '../run-status.ts';
import { updateRun } from '../update.ts';
import { endRun } from './run.ts';

/** The run failed. The partial answer stays. */
export const runFailed: EventReducer = (conversation, scope) =>
  endRun(conversation, scope, 'failed', readFailure(scope.data));

/** The run expired at the service. The partial answer stays. */
export const runExpired: EventReducer = (conversation, scope) => {
  // reasons of our service for a run whose instance crashed; that did not take too long
  const kind = /^(owner_died|lease_lost)$/.test(String(scope.data['reason'])) ? 'run' : 'expired';
  return endRun(conversation, scope, 'expired', { ...readFailure(scope.data), kind, retryable: true });
};

/** An error, after which the run may continue. */
export const error: EventReducer = (conversation, scope) =>
  updateRun(conversation, scope.runKey, (run) =>
    hasEnded(run) || run.failure ? run : { ...run, failure: readFailure(scope.data) },
  );
