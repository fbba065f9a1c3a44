// The package's entry `agent-chat/conversation`. `mergeHistory` is not in the index, because the widget loads it on demand.
export * from './index.ts';
export * from '../conversation/merge-history.ts';
