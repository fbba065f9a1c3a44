import type {
  EmbeddedChatConfig,
  EmbeddedChatConfigResponse,
  Message,
  Notification,
  RunEvent,
  RunRequest,
  StoredMessage,
} from '../protocol/index.ts';

/** Why a token is asked for: none is held yet, it runs out soon, or the service turned it away. */
export type TokenReason = 'initial' | 'expiring' | 'rejected';

/** A token, or what a token endpoint answers. */
export type GivenToken = string | { readonly token: string };

/** Gives the caller's token. Asked once for all requests that wait. */
export type TokenProvider = (reason: TokenReason) => GivenToken | Promise<GivenToken>;

/** Something odd on the wire that did no harm: told, never thrown. */
export interface WireDiagnostic {
  /** Stable name, like `malformed-record` or `oversized-record`. */
  readonly code: string;
  /** One sentence: what was wrong and what to do. */
  readonly message: string;
  /** At most 200 characters of the offending text, never a token. */
  readonly excerpt?: string;
}

export interface AgentClientOptions {
  /** Root of the service, with or without a trailing slash. */
  readonly baseUrl: string | URL;
  /** Absent: requests go out without an Authorization header (the service then answers 401). */
  readonly tokenProvider?: TokenProvider | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Path segment of the deployment. Default `hub`. */
  readonly productPath?: string | undefined;
  /** Prefix of `svc_message` and `svc_connection_status` on this deployment. Default `svc_`. */
  readonly identifierPrefix?: string | undefined;
  /** Milliseconds without a byte after which a stream counts as lost. Default 35 000; 0: never. */
  readonly idleTimeout?: number | undefined;
  /**
   * Milliseconds for which a stream rests after a read that brought a part of a text: what comes meanwhile is read
   * together, which costs a page less than many small reads; half as long again at the beginning of a stream, and half
   * as long later. Default 0: each piece is read as it comes.
   */
  readonly readInterval?: number | undefined;
  /** Milliseconds to wait for response headers, and for a token. Default 30 000; 0: for ever. */
  readonly connectTimeout?: number | undefined;
  /**
   * Largest record of a stream, in bytes. Default 8 MiB. In place of a whole message over it comes a `message.delta`
   * with an `inline_error`.
   */
  readonly recordLimit?: number | undefined;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

/** A message of a thread's history. Services were seen to leave the `id` out. */
export type ListedMessage = Message &
  Partial<Pick<StoredMessage, 'id' | 'thread_id' | 'run_id' | 'created_on'>>;

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface StreamOptions extends RequestOptions {
  /** Called once, when the response has begun (its status was good). */
  readonly onOpen?: (() => void) | undefined;
  /** Called once with the status when the service says no, before the error is made: an abort then spares the making. */
  readonly onRefused?: ((status: number) => void) | undefined;
  /** Called whenever bytes come in, heartbeats included: the stream lives. */
  readonly onActivity?: (() => void) | undefined;
}

export interface FollowOptions extends StreamOptions {
  /** Events after this one only. Absent: from the start. */
  readonly lastEventId?: string | undefined;
}

/**
 * The five endpoints of the interface, and, under `extensions`, what our service offers beyond it.
 * Every method throws the errors of `errors.ts`; an abort is the platform's `AbortError`, never wrapped.
 */
export interface AgentClient {
  readonly baseUrl: string;
  /**
   * Endpoint 1. Iterating posts the request and yields each event as it arrives. Ends normally at the end of the
   * stream; whether the run ended is for the conversation to say. Posts once, never again by itself; only a 401
   * before the first byte asks for a new token and repeats once.
   */
  runStream(request: RunRequest, options?: StreamOptions): AsyncIterable<RunEvent>;
  /** Endpoint 2. */
  putEmbeddedChatConfig(
    agentId: string,
    config: EmbeddedChatConfig,
    options?: RequestOptions,
  ): Promise<EmbeddedChatConfigResponse>;
  /** Endpoint 3. Gives the stored message when the service returns one. */
  postCallback(
    threadId: string,
    message: Message,
    options?: RequestOptions,
  ): Promise<StoredMessage | undefined>;
  /** Endpoint 4. Gives the stored record when the service returns one. */
  createNotification(notification: Notification, options?: RequestOptions): Promise<Notification | undefined>;
  /** Endpoint 5. */
  deleteNotifications(threadId: string, options?: RequestOptions): Promise<void>;
  readonly extensions: AgentClientExtensions;
}

/** What our service offers beyond the interface; another service answers these with an `HttpError` of status 404 or 405. */
export interface AgentClientExtensions {
  getEmbeddedChatConfig(agentId: string, options?: RequestOptions): Promise<EmbeddedChatConfigResponse>;
  /** Replays a run's events after `lastEventId`, then follows it to its end. */
  runEvents(runId: string, options?: FollowOptions): AsyncIterable<RunEvent>;
  /** Cancels by run id, or by `client_message_id` while the run's id is not known. */
  cancelRun(runIdOrClientMessageId: string, options?: RequestOptions): Promise<void>;
  /** The thread's messages, oldest first; entries that are no objects are skipped, with a diagnostic each. */
  listMessages(threadId: string, options?: RequestOptions): Promise<readonly ListedMessage[]>;
  /** Follows a thread: callback messages arrive as `message.created`. Does not end by itself. */
  threadEvents(threadId: string, options?: FollowOptions): AsyncIterable<RunEvent>;
  deleteThread(threadId: string, options?: RequestOptions): Promise<void>;
  listNotifications(threadId: string, options?: RequestOptions): Promise<readonly Notification[]>;
}
