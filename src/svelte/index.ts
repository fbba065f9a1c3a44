import '../widget/define.ts';
import type { HTMLAttributes } from 'svelte/elements';
import type { AgentChatSettings, KebabCase } from '../widget/config/framework-types.ts';
import type { SettingAttributes } from '../widget/config/setting-attributes.ts';
import type { MarkupHandlers } from '../widget/events/event-handlers.ts';
import type { AgentChat, ConfigKey } from '../widget/index.ts';

/** Props of `<agent-chat>` in markup: attributes, properties and `onagent-chat-…` handlers. */
export type AgentChatMarkupProps = Omit<
  HTMLAttributes<AgentChat>,
  keyof AgentChatSettings | KebabCase<ConfigKey>
> &
  Omit<AgentChatSettings, KebabCase<ConfigKey>> &
  SettingAttributes &
  MarkupHandlers;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'agent-chat': AgentChatMarkupProps;
  }
}
