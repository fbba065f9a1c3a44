import type { RunEvent } from '../protocol/index.ts';
import type { Conversation } from './conversation.ts';
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
}

/** Handles one event kind. Pure; returns the same object when nothing changes; never throws. */
export type EventReducer = (conversation: Conversation, scope: ReducerScope) => Conversation;
