import type { Conversation, RunFailure } from '../conversation/index.ts';
import { asObject, nonEmptyString, type Fields } from '../conversation/read-values.ts';
import type { ConnectionState } from './session-settings.ts';

/** Whether the last turn failed because of its token. */
export function lacksToken({ runs }: Conversation): boolean {
  const kind = runs.at(-1)?.failure?.kind;
  return kind === 'auth' || kind === 'token';
}

/** The state of the connection once a run has ended: the run's failure says whether the service answered. */
export function connectionAfter(failure: RunFailure | undefined): ConnectionState {
  switch (failure?.kind) {
    case undefined:
    case 'run':
    case 'expired':
    case 'guardrail':
      return 'idle';
    case 'auth':
      return 'auth-needed';
    default:
      return 'failed';
  }
}

/** The status of an `HttpError`; undefined for any other error. */
export function httpStatus(error: unknown): number | undefined {
  const { name, status } = asObject(error);
  return name === 'HttpError' && typeof status === 'number' ? status : undefined;
}

/** Whether the service answered that the same request can never succeed. */
export function isFinal(error: unknown): boolean {
  const status = httpStatus(error);
  return status === 501 || (status !== undefined && status < 500 && status !== 408 && status !== 429);
}

/**
 * Converts an error of the client into state. Errors are recognized by `name`, so that errors of another copy of the
 * client work too.
 */
export function failureOf(error: unknown): RunFailure {
  const fields = asObject(error);
  const retryAfter = typeof fields['retryAfter'] === 'number' ? fields['retryAfter'] : undefined;
  const reason = nonEmptyString(fields['reason']) ?? nonEmptyString(fields['message']) ?? '';
  const failure = (kind: RunFailure['kind'], retryable: boolean): RunFailure => ({
    kind,
    reason,
    retryable,
    retryAfter,
    ...evidenceIn(fields),
  });
  switch (fields['name']) {
    case 'NetworkError':
      return failure('network', true);
    case 'TimeoutError':
      return failure(fields['phase'] === 'idle' ? 'interrupted' : 'timeout', true);
    case 'StreamInterruptedError':
      return { ...failure('interrupted', true), reason: nonEmptyString(fields['message']) ?? '' };
    case 'StreamFormatError':
      return { ...failure('format', true), reason: nonEmptyString(fields['message']) ?? reason };
    case 'TokenEndpointError':
      return failure('token', true);
    case 'HttpError':
      return ofStatus(httpStatus(error) ?? 0, failure);
    default:
      return failure('run', true);
  }
}

/** Status, URL and id of the failed request, if the error has them. */
function evidenceIn({ status, url, requestId }: Fields): Pick<RunFailure, 'status' | 'url' | 'requestId'> {
  return {
    ...(typeof status === 'number' && { status }),
    ...(typeof url === 'string' && { url }),
    ...(typeof requestId === 'string' && { requestId }),
  };
}

function ofStatus(
  status: number,
  failure: (kind: RunFailure['kind'], retryable: boolean) => RunFailure,
): RunFailure {
  if (status === 401) return failure('auth', true);
  if (status === 403) return failure('forbidden', false);
  if (status === 404 || status === 410) return failure('not-found', false);
  if (status === 408) return failure('timeout', true);
  if (status === 413) return failure('too-large', false);
  if (status === 429) return failure('rate-limit', true);
  if (status >= 500) return failure('server', true);
  return failure('invalid', false);
}
