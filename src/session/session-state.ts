import type { ConnectionState } from './session-settings.ts';
import type { HistoryState } from './thread-history.ts';

/** The current state of a session; immutable, for rendering and for other tabs. */
export interface SessionState {
  readonly connection: ConnectionState;
  /** A run can be stopped now. */
  readonly canStop: boolean;
  /** A run is active: a message sent now is queued. */
  readonly busy: boolean;
  /** Whether the thread's stored messages are loading, or failed to load. */
  readonly history: HistoryState;
  /** The service stores threads, as far as is known. */
  readonly keepsThreads?: boolean;
}
