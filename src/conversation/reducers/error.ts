import type { EventReducer } from '../reducer-types.ts';
import { readFailure } from '../read-failure.ts';
import { hasEnded } from '../run-status.ts';
import { updateRun } from '../update.ts';
import { endRun } from './run.ts';

/** The run failed. The partial answer stays. */
export const runFailed: EventReducer = (conversation, scope) =>
  endRun(conversation, scope, 'failed', readFailure(scope.data));

/** The run expired at the service. The partial answer stays. */
export const runExpired: EventReducer = (conversation, scope) =>
  endRun(conversation, scope, 'expired', { ...readFailure(scope.data), kind: 'expired', retryable: true });

/** An error, after which the run may continue. */
export const error: EventReducer = (conversation, scope) =>
  updateRun(conversation, scope.runKey, (run) =>
    hasEnded(run) || run.failure ? run : { ...run, failure: readFailure(scope.data) },
  );
