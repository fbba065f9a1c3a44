import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** How long a slice should take that blocks the event loop, in ms. */
const sliceMs = 15;
const firstSize = 8;
const maxSize = 500;

interface SliceOptions {
  /**
   * Whether a slice blocks the event loop, as on the embedded database: slices then grow and shrink with the time that
   * they take. On another database, that time is mostly the way there, which smaller slices would only repeat.
   */
  readonly blocks: boolean;
  /** Ends the work after the present slice. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Does work in slices until none is left, with room for other work in between. Returns how many units were done.
 * @param slice does at most `size` units of work and returns how many it did; fewer: none is left
 */
export async function inSlices(
  slice: (size: number) => Promise<number>,
  { blocks, signal }: SliceOptions,
): Promise<number> {
  let size = blocks ? firstSize : maxSize;
  let done = 0;
  while (!signal?.aborted) {
    const began = performance.now();
    const count = await slice(size);
    done += count;
    if (count < size) break;
    const elapsed = Math.max(1, performance.now() - began);
    if (blocks) size = Math.round(Math.min(maxSize, size * 2, Math.max(1, (size * sliceMs) / elapsed)));
    await yieldToEventLoop();
  }
  return done;
}
