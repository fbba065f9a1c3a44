import type { RunEvent } from '../protocol/index.ts';
import type { Conversation } from './conversation.ts';
import type { EventScope, ReducerSet } from './reducer-types.ts';
import { foldRunEvent } from './fold-run-event.ts';
import { eventReducers } from './reducers/index.ts';
import { readMessageSteps } from './steps.ts';

/** Handles events of every kind. */
export const completeSet: ReducerSet = { reducers: eventReducers, readSteps: readMessageSteps };

/**
 * Applies one event of a run stream, or of the thread, to the conversation. Pure, and total over any `data`. Returns the
 * same object when the event changes nothing: a repeated event, or one of an unknown kind without an id.
 */
export function reduceRunEvent(conversation: Conversation, event: RunEvent, scope: EventScope): Conversation {
  return foldRunEvent(conversation, event, scope, completeSet);
}
