import * as React from 'react';
import { createComponent } from '@lit/react';
import { AgentChat as AgentChatElement } from '../widget/define.ts';
import type { AgentChatSettings, KebabCase, PascalCase } from '../widget/config/framework-types.ts';
import type { SettingAttributes } from '../widget/config/setting-attributes.ts';
import type { AgentChatEventMap } from '../widget/events/chat-events.ts';
import type { AgentChatHandlers, MarkupHandlers } from '../widget/events/event-handlers.ts';
import type { ConfigKey } from '../widget/index.ts';

export type { AgentChatHandlers } from '../widget/events/event-handlers.ts';

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
 * With `containerId`, the element stands in a `<span style="display: contents">`: it moves into its container, and
 * React fails when it has to remove a child that is no longer there.
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
  SettingAttributes &
  MarkupHandlers & {
    /** Classes of the element, as in HTML. */
    readonly class?: string | undefined;
  };

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React declares its elements in this namespace
  namespace JSX {
    interface IntrinsicElements {
      'agent-chat': AgentChatAttributes;
    }
  }
}
