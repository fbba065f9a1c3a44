import '../widget/define.ts';
import type { HTMLAttributes } from 'svelte/elements';
import type { AgentChatSettings, Kebab, SettingAttributes } from '../widget/config/framework-types.ts';
import type { AgentChat, AgentChatEventMap, ConfigKey } from '../widget/index.ts';

/** What `<agent-chat>` takes in markup: attributes by their HTML names, properties by theirs, `onagent-chat-…` handlers. */
export type AgentChatMarkupProps = Omit<
  HTMLAttributes<AgentChat>,
  keyof AgentChatSettings | Kebab<ConfigKey>
> &
  Omit<AgentChatSettings, Kebab<ConfigKey>> &
  SettingAttributes & {
    readonly [Name in keyof AgentChatEventMap as `on${Name}`]?:
      ((event: AgentChatEventMap[Name]) => void) | undefined;
  };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'agent-chat': AgentChatMarkupProps;
  }
}
