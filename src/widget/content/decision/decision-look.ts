import type { DecisionView } from '../../../conversation/tool-decision.ts';
import { closeIcon, doneIcon } from '../../theme/icons.ts';
import { infoIcon, warningIcon } from '../../theme/item-icons.ts';

type State = DecisionView['state'];

// Icons of decisions. See theme/icons.ts.
const shieldIcon = 'M12 3l7 3v5c0 4.6-2.9 8-7 10-4.1-2-7-5.4-7-10V6zM12 8v4.5M12 15.8h.01';
export const clockIcon: string = 'M3 12a9 9 0 1018 0 9 9 0 10-18 0zM12 7v5l3 2';

const approved: ReadonlySet<State> = new Set<State>(['approved', 'done']);
const doubtful: ReadonlySet<State> = new Set<State>(['unknown', 'undelivered']);

/** Whether something is under way: shown by a dot in place of an icon. */
export function isUnderWay(state: State): boolean {
  return state === 'sending' || state === 'running';
}

/** The icon beside the state. */
export function iconOf(state: State): string {
  if (state === 'asked') return shieldIcon;
  if (approved.has(state)) return doneIcon;
  if (state === 'expired') return clockIcon;
  if (state === 'settled' || state === 'closed') return infoIcon;
  return state === 'failed' || doubtful.has(state) ? warningIcon : closeIcon;
}

/** Class of the card that colours the state. */
export function toneOf(state: State): string {
  if (approved.has(state)) return 'good';
  if (state === 'failed') return 'bad';
  return doubtful.has(state) ? 'warn' : '';
}
