import '../widget/define.ts';
import type { HTMLAttributes, ReservedProps } from 'vue';
import type { AgentChatSettings, Camel, Kebab } from '../widget/config/framework-types.ts';
import type { AgentChatEventMap, ConfigKey } from '../widget/index.ts';

/** Settings that may be written as attributes take what HTML takes: `width="400"`, `open=""`. */
type Settings = Omit<AgentChatSettings, ConfigKey> & {
  readonly [Key in ConfigKey]?: string | number | boolean | undefined;
};

/** What `<agent-chat>` takes in a template: every setting and option, and `@agent-chat-…` for its events. */
export type AgentChatTemplateProps = Omit<HTMLAttributes, keyof Settings | Kebab<ConfigKey>> &
  ReservedProps &
  Settings & {
    readonly [Name in keyof AgentChatEventMap as `on${Camel<Name>}`]?:
      ((event: AgentChatEventMap[Name]) => void) | undefined;
  };

declare module 'vue' {
  interface GlobalComponents {
    'agent-chat': new () => { readonly $props: AgentChatTemplateProps };
  }
  /** What stands in a slot of the element is plain HTML, where Vue knows no `slot`. */
  interface HTMLAttributes {
    slot?: string | undefined;
  }
}
