import { StreamInterruptedError } from '../client/errors.ts';
import type { ReducerParts } from '../conversation/reducer-types.ts';
import { isPlain, plainParts } from '../conversation/reduce.ts';
import type { RunEvent } from '../protocol/index.ts';

let loaded: ReducerParts | undefined;

/**
 * What an event is reduced with. What only some answers need (steps, questions, faults) is fetched with the first event
 * that takes it, which waits for that, and with it what follows.
 * @throws StreamInterruptedError when it cannot be fetched: the stream is then as good as broken, and is read again from
 * there.
 */
export function partsFor(event: RunEvent): ReducerParts | Promise<ReducerParts> {
  if (loaded) return loaded;
  if (isPlain(event)) return plainParts;
  return import('../conversation/reduce-run-event.ts').then(
    ({ allParts }) => (loaded = allParts),
    (cause: unknown) => {
      throw new StreamInterruptedError(undefined, { cause });
    },
  );
}
