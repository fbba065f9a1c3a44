import { UpstreamError } from './upstream-error.ts';

/** Watches an upstream that may fall silent. */
export interface SilenceLimit {
  /** Aborts with the run, and after too long a silence. */
  readonly signal: AbortSignal;
  /** Call it at each sign of life. */
  heard(): void;
  /** Returns a response whose bytes are signs of life. */
  listen(response: Response): Response;
  /** Ends the watch. */
  stop(): void;
  /** Returns the error to report for one that a request threw. */
  errorFor(error: unknown): unknown;
}

/** Aborts a request that was silent for `limitMs`: before the first sign of life, or between two. */
export function abortAfterSilence(run: AbortSignal, limitMs: number): SilenceLimit {
  const controller = new AbortController();
  let hasHeard = false;
  const end = (): void =>
    controller.abort(
      hasHeard
        ? new UpstreamError('cut', `upstream was silent for ${limitMs} ms`)
        : new UpstreamError('timeout', `upstream did not answer within ${limitMs} ms`),
    );
  const timer = setTimeout(end, limitMs);
  const heard = (): void => {
    hasHeard = true;
    timer.refresh();
  };
  return {
    signal: AbortSignal.any([run, controller.signal]),
    heard,
    listen: ({ body, status, headers }) => {
      const transform = (bytes: Uint8Array, out: TransformStreamDefaultController<Uint8Array>): void => {
        heard();
        out.enqueue(bytes);
      };
      return new Response(body?.pipeThrough(new TransformStream({ transform })), { status, headers });
    },
    stop: () => clearTimeout(timer),
    errorFor: (error) => (controller.signal.aborted && !run.aborted ? controller.signal.reason : error),
  };
}
