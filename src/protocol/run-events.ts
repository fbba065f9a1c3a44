import * as z from 'zod/mini';

/** The group of an event kind. @source interface, "Events" */
export type RunEventGroup = 'lifecycle' | 'step' | 'message' | 'other';

/**
 * All event kinds of the interface, in its order. `ends`: the answer is complete, and only `done` or the end
 * of the stream may follow.
 * @source interface, "Events"
 */
export const runEventKinds = {
  'run.started': { group: 'lifecycle', ends: false },
  'run.completed': { group: 'lifecycle', ends: true },
  'run.failed': { group: 'lifecycle', ends: true },
  'run.expired': { group: 'lifecycle', ends: true },
  'run.cancelled': { group: 'lifecycle', ends: true },
  'run.step.started': { group: 'step', ends: false },
  'run.step.completed': { group: 'step', ends: false },
  'run.step.failed': { group: 'step', ends: false },
  'run.step.delta': { group: 'step', ends: false },
  'run.step.thinking': { group: 'step', ends: false },
  'message.created': { group: 'message', ends: false },
  'message.started': { group: 'message', ends: false },
  'message.delta': { group: 'message', ends: false },
  'message.completed': { group: 'message', ends: false },
  'message.interrupt': { group: 'message', ends: false },
  transcription: { group: 'other', ends: false },
  summary: { group: 'other', ends: false },
  error: { group: 'other', ends: false },
  done: { group: 'other', ends: true },
  planning: { group: 'other', ends: false },
  'flow.slot.listen': { group: 'other', ends: false },
} as const satisfies Record<string, { group: RunEventGroup; ends: boolean }>;

/** A kind that the interface lists. */
export type RunEventKind = keyof typeof runEventKinds;

/** Kinds that services send although the interface does not list them. @source seen on the wire */
export const unlistedRunEventKinds = ['run.step.intermediate', 'slot.input'] as const;
export type UnlistedRunEventKind = (typeof unlistedRunEventKinds)[number];

/** A kind that changes the conversation. */
export type KnownRunEventKind = RunEventKind | UnlistedRunEventKind;

/** The names of `runEventKinds`, in the interface's order. */
export const runEventKindNames = Object.keys(runEventKinds) as RunEventKind[]; // keys of a literal

const known: ReadonlySet<string> = new Set<string>([...runEventKindNames, ...unlistedRunEventKinds]);

/** Whether a name is one of the kinds that change the conversation. */
export function isKnownRunEventKind(name: string): name is KnownRunEventKind {
  return known.has(name);
}

/**
 * A run event, normalized by the decoder: `id` is a string (`''` if absent), `data` an object (`{}` if
 * absent). Unknown kinds are kept and are not errors.
 * @source interface, "Run event"
 */
export const runEventSchema = z.looseObject({
  id: z.string(),
  event: z.string(),
  data: z.looseObject({}),
});
export type RunEvent = z.infer<typeof runEventSchema>;
