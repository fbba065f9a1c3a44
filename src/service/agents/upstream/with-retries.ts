import { pause } from '../agent.ts';
import { UpstreamError } from './upstream-error.ts';

const maxAttempts = 3;
/** Upper limit for `Retry-After`, in ms. */
const maxDelayMs = 5_000;

/**
 * Opens a response. Tries twice more after temporary failures, as no token has arrived yet: 429, 5xx and failed
 * connections. A timeout is final: a retry would make the visitor wait as long again.
 */
export async function withRetries<Result>(signal: AbortSignal, open: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (attempt === maxAttempts || signal.aborted) throw error;
      if (!(error instanceof UpstreamError) || !error.isTemporary) throw error;
      await pause(delayMs(attempt, error), signal);
    }
  }
}

function delayMs(attempt: number, { retryAfter }: UpstreamError): number {
  return Math.min(retryAfter === undefined ? 400 * attempt : retryAfter * 1000, maxDelayMs);
}
