/** Longest delay of a browser's timer, in ms (24 days). A longer one would fire at once. */
export const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Formats the time until which a decision is open, or when it was made: the time alone today, with the weekday within
 * six days, else with the date.
 * @param at milliseconds since the epoch
 */
export function formatDecisionTime(at: number, now: number, locale: string): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString())
    return date.toLocaleTimeString(locale, { timeStyle: 'short' });
  const isNear = Math.abs(at - now) < 6 * 86_400_000;
  return date.toLocaleString(
    locale,
    isNear
      ? { weekday: 'long', hour: 'numeric', minute: 'numeric' }
      : { dateStyle: 'long', timeStyle: 'short' },
  );
}
