import type { KnownRunEventKind } from '../../protocol/index.ts';

/** Known event kinds, without the protocol's schemas. The table does not compile if the protocol's kinds differ. */
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

/** Whether the interface defines this event kind. */
export function isKnownEvent(name: string): name is KnownRunEventKind {
  return Object.hasOwn(kinds, name);
}

/** Removes the `thread.` prefix that some services add. @source seen on the wire */
export function withoutThreadPrefix(name: string): string {
  return name.startsWith('thread.') ? name.slice('thread.'.length) : name;
}
