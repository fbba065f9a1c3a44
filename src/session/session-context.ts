import type { AgentClient, WireDiagnostic } from '../client/agent-client.ts';
import type { RunEvent } from '../protocol/index.ts';
import type { SessionClock } from './clock.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { SessionSettings } from './session-settings.ts';

/** What a turn needs of the session it belongs to. */
export interface TurnHost {
  readonly store: ConversationStore;
  readonly clock: SessionClock;
  client(): AgentClient;
  settings(): SessionSettings;
  online(): boolean;
  diagnose(diagnostic: WireDiagnostic): void;
  runEvent(event: RunEvent, runKey: string): void;
  /** The turn's connection changed. */
  connectionChanged(): void;
}
