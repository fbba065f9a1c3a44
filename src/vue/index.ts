import '../widget/define.ts';
import type { HTMLAttributes, ReservedProps } from 'vue';
import type { AgentChatSettings, PascalCase, KebabCase } from '../widget/config/framework-types.ts';
import type { AgentChatEventMap, ConfigKey } from '../widget/index.ts';

/** Settings that are attributes also accept their HTML form: `width="400"`, `open=""`. */
type Settings = Omit<AgentChatSettings, ConfigKey> & {
  readonly [Key in ConfigKey]?: string | number | boolean | undefined;
};

/** Props of `<agent-chat>` in a template: every setting and option, and `@agent-chat-…` handlers. */
export type AgentChatTemplateProps = Omit<HTMLAttributes, keyof Settings | KebabCase<ConfigKey>> &
  ReservedProps &
  Settings & {
    readonly [Name in keyof AgentChatEventMap as `on${PascalCase<Name>}`]?:
      | ((event: AgentChatEventMap[Name]) => void)
      | undefined;
  };

declare module 'vue' {
  interface GlobalComponents {
    'agent-chat': new () => { readonly $props: AgentChatTemplateProps };
  }
  /** Slotted content is plain HTML, for which Vue has no `slot` type. */
  interface HTMLAttributes {
    slot?: string | undefined;
  }
}
