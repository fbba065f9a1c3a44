export * from './conversation.ts';
export * from './reducer-types.ts';
export * from './merge-history.ts';
export { reduceRunEvent } from './reduce-run-event.ts';
export * from './run-status.ts';
export * from './stream-actions.ts';
export * from './update.ts';
export * from './visitor-actions.ts';
