import type { StoredRunStatus } from '../storage/tables.ts';

/** Told at once and stored within a quarter second; everything else is stored before it is told. */
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

/** Events that show a message of their own besides `message.created`; kept so that a reload shows them again. */
export const messageBearingEvents: ReadonlySet<string> = new Set([
  'message.interrupt',
  'flow.slot.listen',
  'slot.input',
]);

const control = /[\u0000-\u001f\u007f]/g;
const halfCharacter = /\p{Surrogate}/gu;

/** An event's name as it is stored and sent. */
export function sanitizeEventName(event: string): string {
  // A line break in an event's name would break the stream's framing; half a character, PostgreSQL does not keep.
  return deferredEvents.has(event)
    ? event
    : event.replace(control, '').slice(0, 200).replace(halfCharacter, '\ufffd');
}
