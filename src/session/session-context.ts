import type { AgentClient, WireDiagnostic } from '../client/agent-client.ts';
import type { SessionClock } from './clock.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { ChatSessionOptions, SessionSettings } from './session-settings.ts';

/** What turns and subscriptions may use of their session. */
export interface SessionContext {
  readonly store: ConversationStore;
  readonly clock: SessionClock;
  client(): AgentClient;
  settings(): SessionSettings;
  online(): boolean;
  /** Whether a turn may start now; else it stays in the queue. */
  mayStart(): boolean;
  diagnose(diagnostic: WireDiagnostic): void;
  /** `ChatSessionOptions.onRunEvent`, as given. */
  readonly onRunEvent: ChatSessionOptions['onRunEvent'];
}
