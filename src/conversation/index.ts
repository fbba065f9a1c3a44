export * from './conversation.ts';
export * from './reducer-types.ts';
export * from './run-status.ts';
export * from './update.ts';
export { reduceRunEvent } from './reduce-run-event.ts';
export * from './stream-actions.ts';
export * from './visitor-actions.ts';
