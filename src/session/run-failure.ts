import type { Conversation, RunFailure } from '../conversation/index.ts';
import { asObject, nonEmptyString } from '../conversation/read-values.ts';
import type { ConnectionState } from './session-settings.ts';

/** A part of the URLs of all requests to the service. */
const servicePath = '/api/v1/';

/**
 * Whether the last turn failed because of its token: the service refused it, or the page had none. Also if the request
 * for it failed, as when the visitor leaves the page meanwhile: then the failure has a URL outside the service.
 */
export function lacksToken({ runs }: Conversation): boolean {
  const { kind = '', url = servicePath } = runs.at(-1)?.failure ?? {};
  return /^(auth|token)$/.test(kind) || (kind === 'network' && !url.includes(servicePath));
}

/** The state of the connection once a run has ended: the run's failure says whether the service answered. */
export function connectionAfter(failure: RunFailure | undefined): ConnectionState {
  switch (failure?.kind) {
    case undefined:
    case 'run':
    case 'busy':
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

/** What the client's errors mean, by `name`, so that errors of another copy of the client work too. */
const kindByName: Readonly<Record<string, RunFailure['kind']>> = {
  NetworkError: 'network',
  StreamInterruptedError: 'interrupted',
  StreamFormatError: 'format',
  TokenEndpointError: 'token',
};
const kindByStatus: Readonly<Record<number, RunFailure['kind']>> = {
  401: 'auth',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  410: 'not-found',
  413: 'too-large',
  429: 'rate-limit',
};

function kindOf(error: unknown): RunFailure['kind'] {
  const { name, phase, body } = asObject(error);
  const status = httpStatus(error);
  // the page of a proxy that finds no service: the service itself did not answer
  if (status === 404 && String(body).trim()[0] === '<') return 'format';
  if (status !== undefined) return kindByStatus[status] ?? (status < 500 ? 'invalid' : 'server');
  if (name === 'TimeoutError') return phase === 'idle' ? 'interrupted' : 'timeout';
  return kindByName[String(name)] ?? 'run';
}

/** Converts an error of the client into state, with the status, URL and id of the failed request, if it has them. */
export function failureOf(error: unknown): RunFailure {
  const { name, reason, message, retryAfter, status, url, requestId } = asObject(error);
  const kind = kindOf(error);
  // the `reason` of a StreamFormatError is a code
  const words = name === 'StreamFormatError' ? undefined : nonEmptyString(reason);
  return {
    kind,
    reason: words ?? nonEmptyString(message) ?? '',
    retryable: !/^(forbidden|not-found|too-large|invalid)$/.test(kind),
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
    ...(typeof status === 'number' && { status }),
    ...(typeof url === 'string' && { url }),
    ...(typeof requestId === 'string' && { requestId }),
  };
}
