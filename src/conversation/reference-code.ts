import type { Run } from './conversation.ts';

/**
 * A short code that visitors can quote when they report a failed turn: the end of the request's id, else of the run's,
 * else of the message's. Logs can be searched for it.
 */
export function referenceCode({ failure, runId, id }: Run): string {
  const whole = failure?.requestId ?? runId ?? id;
  return (whole.match(/[a-z\d]{6,}/gi)?.at(-1) ?? whole).slice(-8);
}
