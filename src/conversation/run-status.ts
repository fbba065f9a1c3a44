import type { Run } from './conversation.ts';

/** Whether the wire, or the visitor's Stop, ended the run: nothing of its answer is still to come. */
export function hasEnded(run: Run): boolean {
  return run.done || (run.endedAt !== undefined && run.status !== 'interrupted');
}

/** Whether the run may still bring something, as far as the stream has told. */
export function isUnderWay(run: Run): boolean {
  return !hasEnded(run) && run.status !== 'interrupted';
}

/** Whether the service refused what was sent as it was: the same words again would be refused again. */
export function wasRefused(run: Run | undefined): boolean {
  return run?.failure?.kind === 'too-large' || run?.failure?.kind === 'invalid';
}
