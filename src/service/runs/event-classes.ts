import type { StoredRunStatus } from '../storage/tables.ts';

/** Events that are sent at once and stored within 250 ms. All others are stored before they are sent. */
export const deferredEvents: ReadonlySet<string> = new Set([
  'message.started',
  'message.delta',
  'message.completed',
  'run.step.thinking',
  'run.step.intermediate',
  'transcription',
]);

export const terminalEvents: ReadonlyMap<string, StoredRunStatus> = new Map([
  ['run.completed', 'completed'],
  ['run.failed', 'failed'],
  ['run.expired', 'expired'],
  ['run.cancelled', 'cancelled'],
]);

/**
 * Events with a message of their own, besides `message.created`. The message is stored, so a reload shows it
 * again.
 */
export const messageBearingEvents: ReadonlySet<string> = new Set([
  'message.interrupt',
  'flow.slot.listen',
  'slot.input',
]);

const control = /[\u0000-\u001f\u007f]/g;
const halfCharacter = /\p{Surrogate}/gu;

/** Returns the name of an event as it is stored and sent. */
export function sanitizeEventName(event: string): string {
  // A line break would break the framing of the stream, and PostgreSQL rejects half a surrogate pair.
  return deferredEvents.has(event)
    ? event
    : event.replace(control, '').slice(0, 200).replace(halfCharacter, '\ufffd');
}
