/**
 * Settles like the promise, or rejects with the signal's reason on abort. Removes its listener when it settles.
 */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) {
      promise.catch(() => undefined);
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Calls `run` after a time limit in milliseconds. A limit of 0, or one too long for timers (24 days), means never. */
export function startTimer(milliseconds: number, run: () => void): ReturnType<typeof setTimeout> | undefined {
  return milliseconds > 0 && milliseconds <= 2 ** 31 - 1 ? setTimeout(run, milliseconds) : undefined;
}

/** Resolves in the next task. Unlike a timer, browsers do not throttle it. */
export function endOfTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
