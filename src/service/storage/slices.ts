import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** How long a slice should take: it blocks the event loop on the embedded database. */
const sliceMs = 15;
const maxSize = 500;

/**
 * Does work in slices until none is left, with room for other work in between. Slices grow and shrink with the time
 * they take.
 * @param slice does at most `size` units of work and returns how many it did; fewer: none is left
 */
export async function inSlices(
  slice: (size: number) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let size = 8;
  let done = 0;
  while (!signal?.aborted) {
    const began = performance.now();
    const count = await slice(size);
    done += count;
    if (count < size) break;
    const elapsed = Math.max(1, performance.now() - began);
    size = Math.round(Math.min(maxSize, size * 2, Math.max(1, (size * sliceMs) / elapsed)));
    await yieldToEventLoop();
  }
  return done;
}
