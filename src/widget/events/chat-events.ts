import type { GivenToken, TokenReason } from '../../client/agent-client.ts';
import type { EndedRunStatus, RunFailure } from '../../conversation/conversation.ts';
import type { ContentItem, Message, RunEvent } from '../../protocol/index.ts';
import type { ConnectionState } from '../../session/session-settings.ts';
import {
  bubblingComposed,
  type CloseEvent,
  type DiagnosticEvent,
  type OpenEvent,
  type ReadyEvent,
} from './element-events.ts';

export type { EndedRunStatus } from '../../conversation/conversation.ts';
export { CloseEvent, DiagnosticEvent, OpenEvent, ReadyEvent } from './element-events.ts';

/**
 * A message is about to be sent: a new one, an edit, a regeneration, or the answer to a form or an option.
 * `message` can be changed. `preventDefault()` cancels it, and its text returns to the composer.
 * `waitUntil(promise)` delays it and the messages after it, which the visitor sees; a rejected promise cancels it.
 */
export class MessageSubmitEvent extends Event {
  static readonly type = 'agent-chat-message-submit';
  /** The message to send; the page may change or replace it. */
  message: Message;
  /**
   * Promises to wait for.
   * @internal
   */
  readonly waitingFor: Promise<unknown>[] = [];
  constructor(message: Message) {
    super(MessageSubmitEvent.type, { ...bubblingComposed, cancelable: true });
    this.message = message;
  }
  /** Delays the message until the promise resolves, without a time limit; a rejected promise cancels it. */
  waitUntil(promise: Promise<unknown>): void {
    this.waitingFor.push(promise);
  }
}

/** A run has started. The ids are `undefined` until the service has assigned them. */
export class RunStartEvent extends Event {
  static readonly type = 'agent-chat-run-start';
  constructor(
    /** The service’s id of the run. */
    readonly runId: string | undefined,
    /** The service’s id of the thread. */
    readonly threadId: string | undefined,
  ) {
    super(RunStartEvent.type, bubblingComposed);
  }
}

/** Any event of a run, known or unknown, as it was received. `runKey` identifies the run on this page. */
export class RunStreamEvent extends Event {
  static readonly type = 'agent-chat-run-event';
  constructor(
    /** The event as it was received. */
    readonly runEvent: RunEvent,
    /** Identifies the run on this page, also before it has an id. */
    readonly runKey: string,
  ) {
    super(RunStreamEvent.type, bubblingComposed);
  }
}

/**
 * A run has ended: `status` is `completed`, `failed`, `expired`, `cancelled`, `interrupted` (the stream broke off)
 * or `waiting` (it ended with a question; the visitor’s reply is a run of its own).
 */
export class RunEndEvent extends Event {
  static readonly type = 'agent-chat-run-end';
  constructor(
    /** How the run ended. */
    readonly status: EndedRunStatus,
    /** The service’s id of the run, if it assigned one. */
    readonly runId: string | undefined,
    /** The service’s id of the thread, if it assigned one. */
    readonly threadId: string | undefined,
  ) {
    super(RunEndEvent.type, bubblingComposed);
  }
}

/** A message of the agent is complete: its run has ended, or it came by callback. `content` holds its items. */
export class MessageCompleteEvent extends Event {
  static readonly type = 'agent-chat-message-complete';
  constructor(
    /** The service’s id of the message, if it assigned one. */
    readonly messageId: string | undefined,
    /** The items of the message. */
    readonly content: readonly ContentItem[],
  ) {
    super(MessageCompleteEvent.type, bubblingComposed);
  }
}

/**
 * A visitor rated an answer; `feedback` holds `is_positive`, `text` and `selected_categories`. A negative rating
 * fires at once, and again when the visitor adds reasons or a comment.
 */
export class FeedbackEvent extends Event {
  static readonly type = 'agent-chat-feedback';
  constructor(
    /** The service’s id of the rated message, if it assigned one. */
    readonly messageId: string | undefined,
    /** The rating, as it is sent to the service. */
    readonly feedback: {
      readonly is_positive: boolean;
      readonly text: string;
      readonly selected_categories: readonly string[];
    },
  ) {
    super(FeedbackEvent.type, bubblingComposed);
  }
}

/**
 * A button requests an action of the page. Call `preventDefault()` when the page has handled it. `sign_in` comes from
 * the chat itself: call `retry()` once the visitor is signed in, unless the token source changes or the page reloads.
 */
export class ActionEvent extends Event {
  static readonly type = 'agent-chat-action';
  constructor(
    /** Name of the custom event, or `show_panel`, `connect_to_agent`, `connect_app`, `sign_in`. */
    readonly name: string,
    /** The item with the button, as it was received; empty for `sign_in`. */
    readonly item: ContentItem,
    /** Id of the message that contains the item. */
    readonly messageId: string | undefined,
  ) {
    super(ActionEvent.type, { ...bubblingComposed, cancelable: true });
  }
}

/** Another thread is shown, or the service has assigned an id to the current one. */
export class ThreadChangeEvent extends Event {
  static readonly type = 'agent-chat-thread-change';
  constructor(
    /** Id of the thread; `undefined` when none is shown. */ readonly threadId: string | undefined,
  ) {
    super(ThreadChangeEvent.type, bubblingComposed);
  }
}

/** The number of unread answers has changed. */
export class UnreadChangeEvent extends Event {
  static readonly type = 'agent-chat-unread-change';
  constructor(/** Number of unread answers; 0 once they are seen. */ readonly count: number) {
    super(UnreadChangeEvent.type, bubblingComposed);
  }
}

/**
 * The connection has changed: `idle`, `connecting`, `streaming`, `stalled`, `offline`, `resuming`, `auth-needed` or
 * `failed`.
 */
export class ConnectionChangeEvent extends Event {
  static readonly type = 'agent-chat-connection-change';
  constructor(/** The new state. */ readonly connection: ConnectionState) {
    super(ConnectionChangeEvent.type, bubblingComposed);
  }
}

/**
 * A token is needed, and none of `tokenProvider`, `token-url` and `token` has one: answer with `respondWith(token
 * or promise)`. `reason` is `initial`, `expiring` or `rejected`.
 */
export class TokenNeededEvent extends Event {
  static readonly type = 'agent-chat-token-needed';
  /**
   * The page's answer, if it gave one.
   * @internal
   */
  response: Promise<GivenToken> | undefined;
  constructor(/** Why a token is needed. */ readonly reason: TokenReason) {
    super(TokenNeededEvent.type, { ...bubblingComposed, cancelable: true });
  }
  /** Answers with a token, `{ token }`, or a promise of one. */
  respondWith(token: GivenToken | Promise<GivenToken>): void {
    this.response = Promise.resolve(token);
    this.preventDefault();
  }
}

/**
 * A run has failed. The visitor sees a message that fits the `kind`, or words of the agent’s author. For developers,
 * `reason` is the message of the service or the client, and `status`, `url` and `requestId` describe the request, if
 * known.
 */
export class ErrorEvent extends Event {
  static readonly type = 'agent-chat-error';
  constructor(
    /** What failed, as a stable name such as `network`, `rate-limit` or `guardrail`. */
    readonly kind: RunFailure['kind'],
    /** The message of the service or the client; may be empty. */
    readonly reason: string,
    /** HTTP status of the response, if there was one. */
    readonly status?: number,
    /** URL of the request, without its query. */
    readonly url?: string,
    /** The service’s id of the request, for its log. */
    readonly requestId?: string,
  ) {
    super(ErrorEvent.type, bubblingComposed);
  }
}

/** Every public event by its name. */
export interface AgentChatEventMap {
  'agent-chat-ready': ReadyEvent;
  'agent-chat-open': OpenEvent;
  'agent-chat-close': CloseEvent;
  'agent-chat-message-submit': MessageSubmitEvent;
  'agent-chat-run-start': RunStartEvent;
  'agent-chat-run-event': RunStreamEvent;
  'agent-chat-run-end': RunEndEvent;
  'agent-chat-message-complete': MessageCompleteEvent;
  'agent-chat-feedback': FeedbackEvent;
  'agent-chat-action': ActionEvent;
  'agent-chat-thread-change': ThreadChangeEvent;
  'agent-chat-unread-change': UnreadChangeEvent;
  'agent-chat-connection-change': ConnectionChangeEvent;
  'agent-chat-token-needed': TokenNeededEvent;
  'agent-chat-error': ErrorEvent;
  'agent-chat-diagnostic': DiagnosticEvent;
}

declare global {
  // an interface that is only merged has to be empty
  interface HTMLElementEventMap extends AgentChatEventMap {}
  interface DocumentEventMap extends AgentChatEventMap {}
  interface WindowEventMap extends AgentChatEventMap {}
}
