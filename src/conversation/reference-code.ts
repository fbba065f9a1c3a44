import type { Run } from './conversation.ts';

/**
 * The short code with which a visitor can ask about a failed turn: the end of the id of the failed request, else of the
 * run, else of the message. It is a part of that id, so a log can be searched for it.
 */
export function referenceCode({ failure, runId, id }: Run): string {
  const whole = failure?.requestId ?? runId ?? id;
  return (whole.match(/[a-z\d]{6,}/gi)?.at(-1) ?? whole).slice(-8);
}
