import type { EventReducer } from '../reducer-types.ts';
import { messageCompleted, messageCreated, messageDelta, messageStarted } from './message.ts';
import { done, runCancelled, runCompleted, runStarted } from './run.ts';

/** Reducers of the event kinds that every answer consists of. */
export const coreReducers = {
  'run.started': runStarted,
  'run.completed': runCompleted,
  'run.cancelled': runCancelled,
  'message.created': messageCreated,
  'message.started': messageStarted,
  'message.delta': messageDelta,
  'message.completed': messageCompleted,
  done,
} satisfies Readonly<Record<string, EventReducer>>;
