import type { StoredMessage } from '../../protocol/index.ts';

/**
 * Marks a visitor's message that an input guardrail stopped: they were told that it was not passed on. The mark names
 * the run, because a client that says the message again, perhaps in other words, may send its state along.
 */
export function markWithheld(message: StoredMessage): StoredMessage {
  return { ...message, message_state: { ...message.message_state, withheld_by: message.run_id } };
}

/** Whether a message bears that mark. It is then in no run's history, whatever guardrails that run has. */
export function isWithheld({ message_state, run_id }: StoredMessage): boolean {
  return run_id != null && message_state?.['withheld_by'] === run_id;
}
