/** Clocks that differ by less, in milliseconds, count as equal: the time of a response has seconds, and comes late. */
const toleranceMs = 10_000;

/** How far the service's clock is ahead of this device's, in milliseconds; undefined until a response has said it. */
let lead: number | undefined;

/** Compares the clocks by a response's `Date`, which a page of another origin can read if the service exposes it. */
export function compareClocks(headers: Headers): void {
  const measured = Date.parse(headers.get('Date') ?? '') - Date.now();
  if (Number.isNaN(measured)) return;
  if (Math.abs(measured) < toleranceMs) lead = 0;
  else if (Math.abs(measured - (lead ?? 0)) > toleranceMs) lead = measured;
}

/** Whether the service's time is known. */
export function areClocksCompared(): boolean {
  return lead !== undefined;
}

/**
 * The service's time when this device's clock shows `now`, in milliseconds since the epoch: it decides what is too late.
 * As long as it is not known, the device's.
 */
export function serviceTime(now = Date.now()): number {
  return now + (lead ?? 0);
}

/** What this device's clock shows at a time of the service, in milliseconds since the epoch. */
export function deviceTime(at: number): number {
  return at - (lead ?? 0);
}
