/** The event kinds of the interface, in its order. @source interface, "Events" */
export const runEventKinds = [
  'run.started',
  'run.completed',
  'run.failed',
  'run.expired',
  'run.cancelled',
  'run.step.started',
  'run.step.completed',
  'run.step.failed',
  'run.step.delta',
  'run.step.thinking',
  'message.created',
  'message.started',
  'message.delta',
  'message.completed',
  'message.interrupt',
  'transcription',
  'summary',
  'error',
  'done',
  'planning',
  'flow.slot.listen',
] as const;

/** A kind that the interface lists. */
export type RunEventKind = (typeof runEventKinds)[number];

/** Kinds that services send although the interface does not list them. @source seen on the wire */
export const unlistedRunEventKinds = ['run.step.intermediate', 'slot.input'] as const;
export type UnlistedRunEventKind = (typeof unlistedRunEventKinds)[number];

/** A kind that changes the conversation. */
export type KnownRunEventKind = RunEventKind | UnlistedRunEventKind;

const known: ReadonlySet<string> = new Set<string>([...runEventKinds, ...unlistedRunEventKinds]);

/** Whether a name is one of the kinds that change the conversation. */
export function isKnownRunEventKind(name: string): name is KnownRunEventKind {
  return known.has(name);
}
