import * as React from 'react';
import { createComponent } from '@lit/react';
import { AgentChat as AgentChatElement } from '../widget/define.ts';
import type {
  AgentChatSettings,
  PascalCase,
  KebabCase,
  SettingAttributes,
} from '../widget/config/framework-types.ts';
import type { AgentChatEventMap } from '../widget/events/chat-events.ts';
import type { ConfigKey } from '../widget/index.ts';

type Handler<Name extends keyof AgentChatEventMap> = ((event: AgentChatEventMap[Name]) => void) | undefined;

/** A handler for each event: `onRunEnd` handles `agent-chat-run-end`. */
export interface AgentChatHandlers {
  /** The element has read its settings and shows the launcher. */
  readonly onReady?: Handler<'agent-chat-ready'>;
  /** The panel is about to open. Cancelable. */
  readonly onOpen?: Handler<'agent-chat-open'>;
  /** The panel is about to close. Cancelable. */
  readonly onClose?: Handler<'agent-chat-close'>;
  /**
   * A message is about to be sent: a new one, an edit, a regeneration, or the answer to a form or an option.
   * `message` can be changed. `preventDefault()` cancels it, and its text returns to the composer.
   * `waitUntil(promise)` delays it and the messages after it, which the visitor sees; a rejected promise cancels
   * it.
   */
  readonly onMessageSubmit?: Handler<'agent-chat-message-submit'>;
  /** A run has started. The ids are `undefined` until the service has assigned them. */
  readonly onRunStart?: Handler<'agent-chat-run-start'>;
  /** Any event of a run, known or unknown, as it was received. `runKey` identifies the run on this page. */
  readonly onRunEvent?: Handler<'agent-chat-run-event'>;
  /**
   * A run has ended: `status` is `completed`, `failed`, `expired`, `cancelled`, `interrupted` (the stream broke
   * off) or `waiting` (it ended with a question; the visitor’s reply is a run of its own).
   */
  readonly onRunEnd?: Handler<'agent-chat-run-end'>;
  /** A message of the agent is complete: its run has ended, or it came by callback. `content` holds its items. */
  readonly onMessageComplete?: Handler<'agent-chat-message-complete'>;
  /**
   * A visitor rated an answer; `feedback` holds `is_positive`, `text` and `selected_categories`. A negative rating
   * fires at once, and again when the visitor adds reasons or a comment.
   */
  readonly onFeedback?: Handler<'agent-chat-feedback'>;
  /** A button in an answer requests an action of the page. Call `preventDefault()` when the page has handled it. */
  readonly onAction?: Handler<'agent-chat-action'>;
  /** Another thread is shown, or the service has assigned an id to the current one. */
  readonly onThreadChange?: Handler<'agent-chat-thread-change'>;
  /** The number of unread answers has changed. */
  readonly onUnreadChange?: Handler<'agent-chat-unread-change'>;
  /**
   * The connection has changed: `idle`, `connecting`, `streaming`, `stalled`, `offline`, `resuming`, `auth-needed`
   * or `failed`.
   */
  readonly onConnectionChange?: Handler<'agent-chat-connection-change'>;
  /**
   * A token is needed, and none of `tokenProvider`, `token-url` and `token` has one: answer with `respondWith(token
   * or promise)`. `reason` is `initial`, `expiring` or `rejected`.
   */
  readonly onTokenNeeded?: Handler<'agent-chat-token-needed'>;
  /**
   * A run has failed. The visitor sees a message that fits the `kind`. For developers, `reason` is the message of
   * the service or the client, and `status`, `url` and `requestId` describe the request, if known.
   */
  readonly onError?: Handler<'agent-chat-error'>;
  /**
   * Something is misconfigured or malformed, such as an attribute with an invalid value. `code` is a stable name;
   * `message` says what is wrong and what to do. `preventDefault()` keeps it out of the console.
   */
  readonly onDiagnostic?: Handler<'agent-chat-diagnostic'>;
}

type OwnProps = AgentChatSettings & AgentChatHandlers;

/**
 * Props of the React component: every setting and option, a handler for every event, and the props of any element.
 */
export type AgentChatProps = OwnProps &
  Omit<React.HTMLAttributes<AgentChatElement>, keyof OwnProps> &
  React.RefAttributes<AgentChatElement>;

type HandlerName<Name extends string> = Name extends `agent-chat-${infer Short}`
  ? `on${PascalCase<Short>}`
  : never;

/** Event name by handler name. An event without a handler does not compile. */
export const handlerEvents: { readonly [Name in keyof AgentChatEventMap as HandlerName<Name>]: Name } = {
  onReady: 'agent-chat-ready',
  onOpen: 'agent-chat-open',
  onClose: 'agent-chat-close',
  onMessageSubmit: 'agent-chat-message-submit',
  onRunStart: 'agent-chat-run-start',
  onRunEvent: 'agent-chat-run-event',
  onRunEnd: 'agent-chat-run-end',
  onMessageComplete: 'agent-chat-message-complete',
  onFeedback: 'agent-chat-feedback',
  onAction: 'agent-chat-action',
  onThreadChange: 'agent-chat-thread-change',
  onUnreadChange: 'agent-chat-unread-change',
  onConnectionChange: 'agent-chat-connection-change',
  onTokenNeeded: 'agent-chat-token-needed',
  onError: 'agent-chat-error',
  onDiagnostic: 'agent-chat-diagnostic',
} satisfies Record<keyof AgentChatHandlers, keyof AgentChatEventMap>;

const Element = createComponent({
  react: React,
  tagName: 'agent-chat',
  elementClass: AgentChatElement,
  events: handlerEvents,
  displayName: 'AgentChatElement',
  // createComponent's type lacks the accessors and events
}) as unknown as React.FunctionComponent<AgentChatProps>;

/**
 * `<agent-chat>` as a React component. Props set properties, `on…` handlers receive events, `ref` is the element.
 * Works with React 16.8 and later, and renders on a server as an empty element.
 *
 * With `containerId`, the element stands in a `<span style="display: contents">`: it moves into its container, and React
 * fails when it has to remove a child that is no longer there.
 */
export const AgentChat: React.FunctionComponent<AgentChatProps> = React.forwardRef(
  (props: AgentChatProps, ref: React.Ref<AgentChatElement>) => {
    const element = React.createElement(Element, { ...props, ref });
    if (!props.containerId) return element;
    return React.createElement('span', { style: { display: 'contents' } }, element);
  },
) as unknown as React.FunctionComponent<AgentChatProps>; // `ref` is among the props already
AgentChat.displayName = 'AgentChat';

/** Props of `<agent-chat>` in JSX: attributes, properties and `onagent-chat-…` handlers. */
export type AgentChatAttributes = React.DetailedHTMLProps<
  Omit<React.HTMLAttributes<AgentChatElement>, keyof OwnProps>,
  AgentChatElement
> &
  Omit<AgentChatSettings, KebabCase<ConfigKey>> &
  SettingAttributes & {
    readonly [Name in keyof AgentChatEventMap as `on${Name}`]?:
      | ((event: AgentChatEventMap[Name]) => void)
      | undefined;
  } & { readonly class?: string | undefined };

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React declares its elements in this namespace
  namespace JSX {
    interface IntrinsicElements {
      'agent-chat': AgentChatAttributes;
    }
  }
}
