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
 * State of the connection to the service. `stalled`: 15 s without an event. `resuming`: reconnecting to a broken
 * stream. `auth-needed`: the service rejected the token, and the provider returned no other. `failed`: the last turn
 * failed; see the run's `failure`.
 */
export type ConnectionState =
  | 'idle'
  | 'connecting'
  | 'streaming'
  | 'stalled'
  | 'offline'
  | 'resuming'
  | 'auth-needed'
  | 'failed';

/** Settings of the requests. Read at each send, so that changes take effect with the next turn. */
export interface SessionSettings {
  readonly agentId?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly version?: number | undefined;
  readonly llmParams?: LlmParams | undefined;
  readonly guardrails?: Guardrails | undefined;
  /** Overrides the `context` that the last run returned. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly contextVariables?: RunRequest['context_variables'] | undefined;
  readonly additionalParameters?: RunRequest['additional_parameters'] | undefined;
  /** Default fields of every message sent; the message's own fields win. */
  readonly messageDefaults?: Partial<Message> | undefined;
  /** Where form answers are sent: as a new run (default) or to the thread's callback. */
  readonly formSubmit?: 'run' | 'callback' | undefined;
  /** Whether to post a notification when a message arrives while `attended` is false. Default true. */
  readonly notifications?: boolean | undefined;
  /**
   * Whether the service can replay a run's events. Default: determined by a request. `true` also lets the session post
   * a turn again automatically, because such a service runs no turn twice. `false`: no request is made.
   */
  readonly resumable?: boolean | undefined;
}

/** Options of `ChatSession`. */
export interface ChatSessionOptions {
  readonly client: AgentClient | (() => AgentClient);
  readonly settings: () => SessionSettings;
  /** Default: the stored conversation, or an empty one. */
  readonly initial?: Conversation | undefined;
  /** Default: the platform's clock. */
  readonly clock?: SessionClock | undefined;
  /** Default: the conversation is not stored. */
  readonly storage?: ConversationStorage | undefined;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
  /**
   * Called with every event of every run, unknown kinds included, after it was applied. If it throws, the session
   * reports a diagnostic and continues.
   */
  readonly onRunEvent?: ((event: RunEvent, runKey: string) => void) | undefined;
  /** Called when a run ended, or a callback message arrived, while `attended` was false. */
  readonly onNews?: (() => void) | undefined;
  /** Called when a callback message arrived: the last message of the conversation. */
  readonly onCallback?: (() => void) | undefined;
  /** Called when the thread's history arrived after a failed request; a run in it may have to be resumed. */
  readonly onHistory?: (() => void) | undefined;
  /**
   * Called when the service says that it does not have the thread any more, while messages of it are shown. Has to
   * leave the thread. Default: `newThread`, which discards queued messages.
   */
  readonly onThreadGone?: (() => void | Promise<void>) | undefined;
  /** Default: always online. */
  readonly online?: (() => boolean) | undefined;
  /**
   * Whether a turn may start; if not, it stays in the queue until `resume`. For pages that are left. Default: always.
   */
  readonly mayStart?: (() => boolean) | undefined;
}

/** A message to send. */
export interface OutgoingMessage {
  readonly content: string | readonly ContentItem[];
  readonly mentions?: readonly Mention[] | undefined;
  /** Ids of uploaded documents. */
  readonly documentIds?: readonly string[] | undefined;
  /** Shown instead of the content. */
  readonly displayText?: string | undefined;
  /** Wire id of the message that this one answers. */
  readonly parentMessageId?: string | undefined;
  /** Further fields, as the interface names them; its `content` overrides the one above. */
  readonly message?: Partial<Message> | undefined;
  /** Whether the message is sent without being shown. Default false. */
  readonly silent?: boolean | undefined;
}
