import type { RunEvent } from '../protocol/index.ts';
import { sameJson } from '../protocol/json.ts';
import type { AppliedEvents } from './conversation.ts';

/** How many events a run remembers; a resumed stream repeats fewer out of order. */
const maxRemembered = 128;

/** How an event relates to those applied before it. */
export type EventOrder = 'new' | 'late' | 'repeated';

/**
 * Classifies an event as new, late or repeated. An event with a known id, kind and data is repeated. If the same id
 * arrives with other data, the ids of this service do not identify events.
 * @source wire, section 2: ids ascend as `<milliseconds>-<sequence>`
 */
export function classifyEvent(
  applied: AppliedEvents,
  highest: string | undefined,
  event: RunEvent,
): EventOrder {
  if (event.id === '' || applied.ambiguous) return 'new';
  const order = compareIds(event.id, highest);
  if (order !== undefined && order > 0) return 'new';
  if (applied.recent.some((known) => isSameEvent(known, event))) return 'repeated';
  const orderToFloor = compareIds(event.id, applied.floor);
  if (orderToFloor !== undefined && orderToFloor <= 0) return 'repeated';
  return order !== undefined && order < 0 ? 'late' : 'new';
}

/**
 * Adds an event to the remembered ones.
 * @param highest the highest id so far; an event above it is new and needs no search
 */
export function rememberEvent(
  applied: AppliedEvents,
  highest: string | undefined,
  event: RunEvent,
): AppliedEvents {
  if (event.id === '' || applied.ambiguous) return applied;
  const isLater = (compareIds(event.id, highest) ?? 0) > 0;
  if (!isLater && applied.recent.some((known) => known.id === event.id))
    return { recent: [], floor: undefined, ambiguous: true };
  const full = applied.recent.length >= maxRemembered;
  const dropped = full ? applied.recent[0]?.id : undefined;
  const recent = applied.recent.slice(full ? 1 : 0);
  recent.push(event);
  return {
    recent,
    floor: dropped !== undefined && (compareIds(dropped, applied.floor) ?? 1) > 0 ? dropped : applied.floor,
    ambiguous: false,
  };
}

/** Forgets the events, but keeps the highest id: for ended runs and runs restored from storage. */
export function compact(applied: AppliedEvents, highest: string | undefined): AppliedEvents {
  if (applied.recent.length === 0 && applied.floor === highest) return applied;
  return { recent: [], floor: highest, ambiguous: applied.ambiguous };
}

/** Positive when `left` is later; undefined when the ids have no known order. */
export function compareIds(left: string, right: string | undefined): number | undefined {
  if (right === undefined) return undefined;
  const [leftTime, leftCount] = risingId(left);
  const [rightTime, rightCount] = risingId(right);
  if (leftTime === undefined || rightTime === undefined) return undefined;
  return leftTime - rightTime || leftCount - rightCount;
}

function risingId(id: string): readonly [number | undefined, number] {
  const dash = id.indexOf('-');
  const time = Number(dash < 0 ? id : id.slice(0, dash));
  const count = dash < 0 ? 0 : Number(id.slice(dash + 1));
  // beyond 2 ** 53, neighbouring ids would be the same number
  return time + count < 9e15 ? [time, count] : [undefined, 0];
}

function isSameEvent(left: RunEvent, right: RunEvent): boolean {
  return left.id === right.id && left.event === right.event && sameJson(left.data, right.data);
}
