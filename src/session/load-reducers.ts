import { StreamInterruptedError } from '../client/errors.ts';
import type { ReducerSet } from '../conversation/reducer-types.ts';
import { isCoreEvent, coreSet } from '../conversation/fold-run-event.ts';
import type { RunEvent } from '../protocol/index.ts';

let loaded: ReducerSet | undefined;

/**
 * The reducers for an event. Those of steps, interrupts and errors are loaded with the first such event: this keeps
 * 2.9 kB (brotli) out of what every visitor loads for an answer.
 * @throws StreamInterruptedError (rejects) when they cannot be loaded; the session then resumes the stream there
 */
export function reducersFor(event: RunEvent): ReducerSet | Promise<ReducerSet> {
  if (loaded) return loaded;
  if (isCoreEvent(event)) return coreSet;
  return import('../conversation/reduce-run-event.ts').then(
    ({ completeSet }) => (loaded = completeSet),
    (cause: unknown) => {
      throw new StreamInterruptedError(undefined, { cause });
    },
  );
}
