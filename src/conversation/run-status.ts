import type { ConversationMessage, Run } from './conversation.ts';

/** Whether the run has ended, by an event or by Stop: no more of its answer will arrive. */
export function hasEnded(run: Run): boolean {
  return run.done || (run.endedAt !== undefined && run.status !== 'interrupted');
}

/** Whether more events of the run may arrive. */
export function isUnderWay(run: Run): boolean {
  return !hasEnded(run) && run.status !== 'interrupted';
}

/** Whether the service rejected the message, so that it would reject the same message again. */
export function wasRefused(run: Run | undefined): boolean {
  return /^(too-large|invalid)$/.test(run?.failure?.kind ?? '');
}

/**
 * Whether the run completed without anything to read: only blank text, no step, no summary. An agent that is silent on
 * purpose sends an interim message.
 */
export function endedBlank(run: Run, answers: readonly ConversationMessage[]): boolean {
  const isBlank = ({ items, steps, connection, interim }: ConversationMessage): boolean =>
    !interim && !connection && !steps[0] && items.every(({ type, text }) => type === 'text' && !text.trim());
  return run.status === 'completed' && !run.failure && !run.summary && answers.every(isBlank);
}
