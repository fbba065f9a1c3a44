import type { KnownRunEventKind } from '../../protocol/index.ts';

/**
 * The kinds by name, without the schemas that would weigh on the widget's first load. A kind that the protocol gains or
 * loses stops this table from compiling.
 */
const kinds = {
  'run.started': true,
  'run.completed': true,
  'run.failed': true,
  'run.expired': true,
  'run.cancelled': true,
  'run.step.started': true,
  'run.step.completed': true,
  'run.step.failed': true,
  'run.step.delta': true,
  'run.step.thinking': true,
  'run.step.intermediate': true,
  'message.created': true,
  'message.started': true,
  'message.delta': true,
  'message.completed': true,
  'message.interrupt': true,
  transcription: true,
  summary: true,
  error: true,
  done: true,
  planning: true,
  'flow.slot.listen': true,
  'slot.input': true,
} as const satisfies Record<KnownRunEventKind, true>;

/** Whether the conversation knows what to do with an event of this name. */
export function isKnownEvent(name: string): name is KnownRunEventKind {
  return Object.hasOwn(kinds, name);
}

/** Drops the `thread.` that some services put before a kind. @source seen on the wire */
export function withoutThreadPrefix(name: string): string {
  return name.startsWith('thread.') ? name.slice('thread.'.length) : name;
}
