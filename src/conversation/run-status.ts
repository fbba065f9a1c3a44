import type { ConversationMessage, Run } from './conversation.ts';

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

/** Whether the run completed and left nothing to read: no item but blank text, no step, no summary. */
export function endedBlank(run: Run, answers: readonly ConversationMessage[]): boolean {
  const isBlank = ({ items, steps, connection }: ConversationMessage): boolean =>
    !connection && !steps[0] && items.every(({ type, text }) => type === 'text' && !text.trim());
  return run.status === 'completed' && !run.failure && !run.summary && answers.every(isBlank);
}
