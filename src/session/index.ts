export * from '../conversation/index.ts';
export * from './chat-session.ts';
export * from './clock.ts';
export * from './session-settings.ts';
export {
  areaStorage,
  type AreaStorageOptions,
  type ConversationStorage,
  type StorageArea,
} from './storage.ts';
export * from './snapshot.ts';
export type { SessionState } from './session-state.ts';
export type { HistoryState } from './thread-history.ts';
