import type { Conversation, Run } from './conversation.ts';
import type { Fields } from './read-values.ts';

/** Run and time of an event. */
export interface EventScope {
  /** `Run.id` of the event's run; undefined for an event of the thread (a callback message). */
  readonly runKey: string | undefined;
  /** Client time in milliseconds since the epoch. */
  readonly at: number;
}

/** The data of the event that a reducer handles, with its scope. */
export interface ReducerScope extends EventScope {
  /** The run, before this event changes it. */
  readonly run: Run;
  readonly runKey: string;
  readonly data: Fields;
  /** Whether an event with a higher id was applied before this one. */
  readonly late: boolean;
}

/** Handles one event kind of a run. Pure; returns the same object when nothing changes; never throws. */
export type EventReducer = (conversation: Conversation, scope: ReducerScope) => Conversation;
