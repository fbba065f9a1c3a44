import type { RunEvent } from '../protocol/index.ts';
import type { Conversation, ConversationItem, RunStep } from './conversation.ts';
import type { Fields } from './read-values.ts';

/** Run and time of an event. */
export interface EventScope {
  /** `Run.id` of the event's run; undefined for an event of the thread (a callback message). */
  readonly runKey: string | undefined;
  /** Client time in milliseconds since the epoch. */
  readonly at: number;
}

/** The event that a reducer handles, with its scope. */
export interface ReducerScope extends EventScope {
  readonly event: RunEvent;
  readonly data: Fields;
  /** Whether an event with a higher id was applied before this one. */
  readonly late: boolean;
  /** Reads the steps that a message contains; undefined when it contains none. */
  readonly readSteps: StepReader | undefined;
}

/** Reads the steps that a message itself contains. */
export type StepReader = (
  message: Fields,
  properties: Fields | undefined,
) => { readonly steps: readonly RunStep[]; readonly items: readonly ConversationItem[] };

/** Reducers that were loaded together, and the reader of steps that belongs to them. */
export interface ReducerSet {
  readonly reducers: Readonly<Record<string, EventReducer>>;
  readonly readSteps: StepReader | undefined;
}

/** Handles one event kind. Pure; returns the same object when nothing changes; never throws. */
export type EventReducer = (conversation: Conversation, scope: ReducerScope) => Conversation;
