import * as React from 'react';
import { createComponent } from '@lit/react';
import { AgentChat as AgentChatElement } from '../widget/define.ts';
import { configTable, type ConfigKey } from '../widget/config/config-table.ts';
import type { AgentChatSettings, KebabCase, PascalCase } from '../widget/config/framework-types.ts';
import type { SettingAttributes } from '../widget/config/setting-attributes.ts';
import type { AgentChatEventMap } from '../widget/events/chat-events.ts';
import type { AgentChatHandlers, MarkupHandlers } from '../widget/events/event-handlers.ts';

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

/** A server can do nothing after layout, and React up to version 18 warns there. */
const useAfterLayout = typeof document === 'undefined' ? React.useEffect : React.useLayoutEffect;

const Element = createComponent({
  react: { ...React, useLayoutEffect: useAfterLayout },
  tagName: 'agent-chat',
  elementClass: AgentChatElement,
  events: handlerEvents,
  displayName: 'AgentChatElement',
  // createComponent's type lacks the accessors and events
}) as unknown as React.FunctionComponent<AgentChatProps>;

/** Not written as settings: a secret, a state that changes without the attribute, and what React itself writes. */
const notRendered: ReadonlySet<string> = new Set(['token', 'open', 'lang', 'dir']);

/**
 * On a server: the settings as attributes. A browser defines the element before React hydrates it, and would show a
 * chat with the default settings until then. With `containerId`, the element would also leave the place where React
 * looks for it.
 */
function serverAttributes(props: AgentChatProps): Record<string, string> {
  const attributes: Record<string, string> = {};
  if (typeof document !== 'undefined' || props.containerId) return attributes;
  for (const [key, { attribute }] of Object.entries(configTable)) {
    const value = props[key as ConfigKey]; // the table's own keys
    // in capitals, which HTML ignores: `createComponent` takes `theme` for a property, and leaves it out
    if (value != null && !notRendered.has(key)) attributes[attribute.toUpperCase()] = String(value);
  }
  return attributes;
}

/**
 * `<agent-chat>` as a React component. Props set properties, `on…` handlers receive events, `ref` is the element.
 * Works with React 16.8 and later. A server renders an element without content, with the settings as attributes.
 *
 * With `containerId`, the element stands in a `<span style="display: contents">`: it moves into its container, and
 * React fails when it has to remove a child that is no longer there.
 */
export const AgentChat: React.FunctionComponent<AgentChatProps> = React.forwardRef(
  (props: AgentChatProps, ref: React.Ref<AgentChatElement>) => {
    const chat = React.useRef<AgentChatElement | null>(null);
    const isMounted = React.useRef(false);
    // what a function as `ref` has returned: from React 19 on, that is called instead of the function with null
    const cleanUp = React.useRef<unknown>(undefined);
    const setRefs = React.useCallback(
      (node: AgentChatElement | null) => {
        chat.current = node;
        if (!node && typeof cleanUp.current === 'function') cleanUp.current();
        else if (typeof ref === 'function') cleanUp.current = ref(node);
        else if (ref) (ref as React.MutableRefObject<AgentChatElement | null>).current = node; // React's own ref objects
        if (!node) cleanUp.current = undefined;
      },
      [ref],
    );
    useAfterLayout(() => {
      // an element of a server is ready before React adds `onReady`; the page's listeners have heard the event already
      if (!isMounted.current && chat.current?.hasUpdated)
        chat.current.dispatchEvent(new Event('agent-chat-ready'));
      isMounted.current = true;
    }, []);
    const element = React.createElement(Element, { ...serverAttributes(props), ...props, ref: setRefs });
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
