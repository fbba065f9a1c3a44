// The package's entry `agent-chat/conversation`. What the widget loads on demand is not in the index.
export * from './index.ts';
export * from '../conversation/merge-history.ts';
export { supersedeFrom } from '../conversation/supersede.ts';
