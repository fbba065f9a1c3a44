import type { RunEvent } from '../protocol/index.ts';
import type { Conversation } from './conversation.ts';
import type { EventScope, ReducerParts } from './reducer-types.ts';
import { foldRunEvent } from './reduce.ts';
import { eventReducers } from './reducers/index.ts';
import { readMessageSteps } from './steps.ts';

/** What events of every kind are reduced with. */
export const allParts: ReducerParts = { reducers: eventReducers, readSteps: readMessageSteps };

/**
 * Folds one event of the run stream, or of the thread, into the conversation. Pure; total over any `data`; gives the
 * same object back when the event changes nothing: a repeated one, or one of an unknown kind without an id.
 */
export function reduceRunEvent(conversation: Conversation, event: RunEvent, scope: EventScope): Conversation {
  return foldRunEvent(conversation, event, scope, allParts);
}
