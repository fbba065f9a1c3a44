import type { StoredMessage } from '../../protocol/index.ts';

/**
 * Marks a visitor's message that an input guardrail stopped. The mark includes the run id, because a client
 * that resends the message may copy its state.
 */
export function markWithheld(message: StoredMessage): StoredMessage {
  return { ...message, message_state: { ...message.message_state, withheld_by: message.run_id } };
}

/** Whether a message has that mark. Marked messages are never in the history of a run. */
export function isWithheld({ message_state, run_id }: StoredMessage): boolean {
  return run_id != null && message_state?.['withheld_by'] === run_id;
}
