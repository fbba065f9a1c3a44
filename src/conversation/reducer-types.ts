import type { RunEvent } from '../protocol/index.ts';
import type { Conversation, ConversationItem, RunStep } from './conversation.ts';
import type { Fields } from './read-values.ts';

/** Where and when an event is reduced. */
export interface EventScope {
  /** `Run.id` the event belongs to; undefined for an event of the thread (a callback message). */
  readonly runKey: string | undefined;
  /** Milliseconds since the epoch: times in the conversation are the client's. */
  readonly at: number;
}

/** What a reducer of one event kind is given. */
export interface ReducerScope extends EventScope {
  readonly event: RunEvent;
  readonly data: Fields;
  /** The event's id is lower than one already seen: it was overtaken on its way. */
  readonly late: boolean;
  /** Reads what a message tells of the way to it. Left out where the event tells of none. */
  readonly readSteps: StepReader | undefined;
}

/** Reads what a message itself tells of the steps that led to it. */
export type StepReader = (
  message: Fields,
  properties: Fields | undefined,
) => { readonly steps: readonly RunStep[]; readonly items: readonly ConversationItem[] };

/** What events are reduced with. */
export interface ReducerParts {
  readonly reducers: Readonly<Record<string, EventReducer>>;
  readonly readSteps: StepReader | undefined;
}

/** Reduces one event kind. Pure; gives the same object back when nothing changes; never throws. */
export type EventReducer = (conversation: Conversation, scope: ReducerScope) => Conversation;
