import type { AgentClient, WireDiagnostic } from '../client/agent-client.ts';
import type { Conversation } from '../conversation/index.ts';
import type {
  ContentItem,
  Guardrails,
  LlmParams,
  Mention,
  Message,
  RunEvent,
  RunRequest,
} from '../protocol/index.ts';
import type { SessionClock } from './clock.ts';
import type { ConversationStorage } from './storage.ts';

/**
 * How the session stands to the service. `stalled`: 15 s without an event. `resuming`: a broken stream is taken up
 * again. `auth-needed`: the service refused the token, and the token provider had no better one. `failed`: the last
 * turn was lost on the way; the run's `failure` says how.
 */
export type ConnectionState =
  'idle' | 'connecting' | 'streaming' | 'stalled' | 'offline' | 'resuming' | 'auth-needed' | 'failed';

/** What goes out with each turn. Read afresh at each send, so that a host may change any of it at any time. */
export interface SessionSettings {
  readonly agentId?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly version?: number | undefined;
  readonly llmParams?: LlmParams | undefined;
  readonly guardrails?: Guardrails | undefined;
  /** Wins over the `context` that the last run gave back. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly contextVariables?: RunRequest['context_variables'] | undefined;
  readonly additionalParameters?: RunRequest['additional_parameters'] | undefined;
  /** Fields of every message sent, under what the message itself says. */
  readonly messageDefaults?: Partial<Message> | undefined;
  /** How answers to forms go out: as a new run (default) or to the thread's callback. */
  readonly formSubmit?: 'run' | 'callback' | undefined;
  /** Post a notification for what arrives unattended. Default true. */
  readonly notifications?: boolean | undefined;
  /**
   * Whether the service can replay a run's events. Default: found out by asking. `true` also lets the session post a
   * turn again by itself, because such a service runs no turn twice. `false`: never ask.
   */
  readonly resumable?: boolean | undefined;
}

/** What a chat session is made of. */
export interface ChatSessionOptions {
  readonly client: AgentClient | (() => AgentClient);
  readonly settings: () => SessionSettings;
  /** Default: what the storage holds, else an empty conversation. */
  readonly initial?: Conversation | undefined;
  /** Default: the platform's clock. */
  readonly clock?: SessionClock | undefined;
  /** Default: nothing is kept. */
  readonly storage?: ConversationStorage | undefined;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
  /** Every event of every run, unknown kinds included, after it was reduced. */
  readonly onRunEvent?: ((event: RunEvent, runKey: string) => void) | undefined;
  /** A run ended, or a message came by callback, while `attended` was false. */
  readonly onNews?: (() => void) | undefined;
  /** A message came by callback: the last of the conversation. */
  readonly onCallback?: (() => void) | undefined;
  /** The thread's history came after a failed request: what it tells may have to go on. */
  readonly onHistory?: (() => void) | undefined;
  /** Default: always online. */
  readonly online?: (() => boolean) | undefined;
}

/** A turn with more than words. */
export interface SendInput {
  readonly content: string | readonly ContentItem[];
  readonly mentions?: readonly Mention[] | undefined;
  /** Ids of uploaded documents. */
  readonly documentIds?: readonly string[] | undefined;
  /** Shown in the place of the content. */
  readonly displayText?: string | undefined;
  /** The wire's id of the message this one answers. */
  readonly parentMessageId?: string | undefined;
  /** Further fields of the message; its `content` wins over the one above. */
  readonly message?: Partial<Message> | undefined;
  /** Sent, but not shown. */
  readonly silent?: boolean | undefined;
}
