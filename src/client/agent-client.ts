import type {
  EmbeddedChatConfig,
  EmbeddedChatConfigResponse,
  ListedThread,
  Message,
  Notification,
  RunEvent,
  RunRequest,
  StoredMessage,
  ThreadChange,
  ThreadList,
} from '../protocol/index.ts';

/** Why a token is requested: there is none yet, it expires soon, or the service rejected it. */
export type TokenReason = 'initial' | 'expiring' | 'rejected';

/** A token, or what a token endpoint answers. */
export type GivenToken = string | { readonly token: string };

/** Returns the caller's token. Called once for all requests that wait. */
export type TokenProvider = (reason: TokenReason) => GivenToken | Promise<GivenToken>;

/** A harmless irregularity of the stream: reported, never thrown. */
export interface WireDiagnostic {
  /** Stable name, like `malformed-record` or `oversized-record`. */
  readonly code: string;
  /** What was wrong and what to do. */
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
  /** Milliseconds without a byte after which a stream times out. Default 35 000; 0: never. */
  readonly idleTimeout?: number | undefined;
  /**
   * Pause after a read that contained a text delta, in milliseconds. Bytes that arrive meanwhile are read together,
   * which is cheaper than many small reads. The pause is 1.5 times as long at the start of a stream, and half as long
   * later. Default 0: none.
   */
  readonly readInterval?: number | undefined;
  /** Milliseconds to wait for response headers, and for a token. Default 30 000; 0: no limit. */
  readonly connectTimeout?: number | undefined;
  /**
   * Maximum size of a record of a stream, in bytes. Default 8 MiB. A larger message is replaced by a `message.delta`
   * with an `inline_error`.
   */
  readonly recordLimit?: number | undefined;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

/** A message of a thread's history. Some services omit the `id`. */
export type ListedMessage = Message &
  Partial<Pick<StoredMessage, 'id' | 'thread_id' | 'run_id' | 'created_on'>>;

/** Which threads to list. */
export interface ThreadListOptions extends RequestOptions {
  /** Words, each of which must be in the title or a message. At most 200 characters. */
  readonly query?: string | undefined;
  /** `next` of the previous list of the same query. */
  readonly before?: string | undefined;
  /** Most threads of the list: 1 to 100. Default of our service: 30. */
  readonly limit?: number | undefined;
  /** Only archived threads. Default `false`: only others. */
  readonly archived?: boolean | undefined;
  /** Only threads of this agent. */
  readonly agentId?: string | undefined;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What the response headers of a stream say about its run. */
export interface OpenedStream {
  /** The run's id (`X-Run-ID`), if the service sends it and exposes it (`Access-Control-Expose-Headers`). */
  readonly runId: string | undefined;
}

export interface StreamOptions extends RequestOptions {
  /** Called once, when the headers of a successful response arrived. */
  readonly onOpen?: ((opened?: OpenedStream) => void) | undefined;
  /** Called once with the status of an error response, before its body is read; an abort then skips reading it. */
  readonly onRefused?: ((status: number) => void) | undefined;
  /** Called whenever bytes arrive, heartbeats included. */
  readonly onActivity?: (() => void) | undefined;
}

export interface FollowOptions extends StreamOptions {
  /** Only events after this one are sent. Absent: all events. */
  readonly lastEventId?: string | undefined;
}

/**
 * The five endpoints of the interface, and, under `extensions`, what our service offers beyond it.
 * Every method throws the errors of `errors.ts`; an abort is the platform's `AbortError`, never wrapped.
 */
export interface AgentClient {
  readonly baseUrl: string;
  /**
   * Endpoint 1. Iterating posts the request and yields each event as it arrives. The iteration ends with the stream,
   * which does not mean that the run has ended. Posts once; only a 401 before the first byte requests a new token and
   * repeats the request once.
   */
  runStream(request: RunRequest, options?: StreamOptions): AsyncIterable<RunEvent>;
  /** Endpoint 2. */
  putEmbeddedChatConfig(
    agentId: string,
    config: EmbeddedChatConfig,
    options?: RequestOptions,
  ): Promise<EmbeddedChatConfigResponse>;
  /** Endpoint 3. Resolves with the stored message when the service returns one. */
  postCallback(
    threadId: string,
    message: Message,
    options?: RequestOptions,
  ): Promise<StoredMessage | undefined>;
  /** Endpoint 4. Resolves with the stored record when the service returns one. */
  createNotification(notification: Notification, options?: RequestOptions): Promise<Notification | undefined>;
  /** Endpoint 5. */
  deleteNotifications(threadId: string, options?: RequestOptions): Promise<void>;
  readonly extensions: AgentClientExtensions;
}

/**
 * Endpoints of our service beyond the interface. With other services these throw an `HttpError` of status 404 or 405.
 */
export interface AgentClientExtensions {
  getEmbeddedChatConfig(agentId: string, options?: RequestOptions): Promise<EmbeddedChatConfigResponse>;
  /** Replays a run's events after `lastEventId`, then streams it to its end. */
  runEvents(runId: string, options?: FollowOptions): AsyncIterable<RunEvent>;
  /** Cancels a run by its id, or by `client_message_id` while the id is not known. */
  cancelRun(runIdOrClientMessageId: string, options?: RequestOptions): Promise<void>;
  /** The thread's messages, oldest first. Entries that are not objects are skipped, with a diagnostic each. */
  listMessages(threadId: string, options?: RequestOptions): Promise<readonly ListedMessage[]>;
  /** Streams a thread's events: callback messages arrive as `message.created`. Does not end by itself. */
  threadEvents(threadId: string, options?: FollowOptions): AsyncIterable<RunEvent>;
  /** Lists the caller's threads, or those in which the words of `query` were found. */
  listThreads(options?: ThreadListOptions): Promise<ThreadList>;
  /** Renames, archives or restores a thread. Resolves with the thread when the service returns it. */
  changeThread(
    threadId: string,
    change: ThreadChange,
    options?: RequestOptions,
  ): Promise<ListedThread | undefined>;
  deleteThread(threadId: string, options?: RequestOptions): Promise<void>;
  listNotifications(threadId: string, options?: RequestOptions): Promise<readonly Notification[]>;
}
