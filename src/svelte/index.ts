import '../widget/define.ts';
import type { HTMLAttributes } from 'svelte/elements';
import type { AgentChatSettings, KebabCase, SettingAttributes } from '../widget/config/framework-types.ts';
import type { AgentChat, AgentChatEventMap, ConfigKey } from '../widget/index.ts';

/** Props of `<agent-chat>` in markup: attributes, properties and `onagent-chat-…` handlers. */
export type AgentChatMarkupProps = Omit<
  HTMLAttributes<AgentChat>,
  keyof AgentChatSettings | KebabCase<ConfigKey>
> &
  Omit<AgentChatSettings, KebabCase<ConfigKey>> &
  SettingAttributes & {
    readonly [Name in keyof AgentChatEventMap as `on${Name}`]?:
      | ((event: AgentChatEventMap[Name]) => void)
      | undefined;
  };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'agent-chat': AgentChatMarkupProps;
  }
}
