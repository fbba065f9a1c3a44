import { UpstreamError } from './upstream-error.ts';

/** An error of the libraries `openai` and `@anthropic-ai/sdk`, which have the same classes. */
interface SdkApiError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
}

/** The error classes of such a library. */
export interface SdkErrors {
  readonly APIError: abstract new (...given: never[]) => SdkApiError;
  readonly APIConnectionError: abstract new (...given: never[]) => Error;
  readonly APIConnectionTimeoutError: abstract new (...given: never[]) => Error;
  readonly APIUserAbortError: abstract new (...given: never[]) => Error;
}

/** Converts an error of a library. Other errors are returned unchanged. */
export function fromSdkError(error: unknown, sdk: SdkErrors): unknown {
  if (error instanceof sdk.APIUserAbortError) return error;
  if (error instanceof sdk.APIConnectionTimeoutError)
    return new UpstreamError('timeout', 'upstream did not answer in time');
  if (error instanceof sdk.APIConnectionError)
    return new UpstreamError('unreachable', 'upstream could not be reached, or the connection broke');
  if (error instanceof sdk.APIError)
    return error.status === undefined
      ? new UpstreamError('cut', 'upstream reported an error instead of an answer')
      : UpstreamError.ofStatus(error.status, error.headers);
  return error;
}
