import type { EventReducer } from '../reducer-types.ts';
import { readFailure } from '../read-failure.ts';
import { hasEnded } from '../run-status.ts';
import { updateRun } from '../update.ts';
import { endRun } from './run.ts';

/** What came stays; the reason is told. */
export const runFailed: EventReducer = (conversation, scope) =>
  endRun(conversation, scope, 'failed', readFailure(scope.data));

/** The service gave the run up. */
export const runExpired: EventReducer = (conversation, scope) =>
  endRun(conversation, scope, 'expired', { ...readFailure(scope.data), kind: 'expired', retryable: true });

/** A fault; whether the run goes on is for what follows to say. */
export const error: EventReducer = (conversation, scope) =>
  updateRun(conversation, scope.runKey, (run) =>
    hasEnded(run) || run.failure ? run : { ...run, failure: readFailure(scope.data) },
  );
