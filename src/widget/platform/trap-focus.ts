import { deepestFocus } from './focus.ts';

/**
 * Keeps the Tab key inside a dialog: from its last control to the first, and back.
 * @param stops controls that Tab reaches, in order
 * @param isBackward whether Shift is pressed
 * @returns whether the focus was at the end, and was moved
 */
export function trapFocus(stops: readonly HTMLElement[], isBackward: boolean): boolean {
  const [end, start] = isBackward ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (!end || deepestFocus() !== end) return false;
  start?.focus();
  return true;
}
