import '../widget/define.ts';
import type { HTMLAttributes, ReservedProps } from 'vue';
import type { ConfigProperties } from '../widget/config/config-properties.ts';
import type { AgentChatSettings, KebabCase } from '../widget/config/framework-types.ts';
import type { SettingAttributes } from '../widget/config/setting-attributes.ts';
import type { TemplateHandlers } from '../widget/events/event-handlers.ts';
import type { ConfigKey } from '../widget/index.ts';

/** Settings that are attributes also accept their HTML form: `width="400"`, `open=""`. */
type Settings = Omit<AgentChatSettings, ConfigKey> & {
  readonly [Key in keyof ConfigProperties]?: string | number | boolean | undefined;
} & Pick<SettingAttributes, 'lang' | 'dir'>; // every element has these two as properties

/** Props of `<agent-chat>` in a template: every setting and option, and `@agent-chat-…` handlers. */
export type AgentChatTemplateProps = Omit<HTMLAttributes, keyof Settings | KebabCase<ConfigKey>> &
  ReservedProps &
  Settings &
  TemplateHandlers;

declare module 'vue' {
  interface GlobalComponents {
    'agent-chat': new () => { readonly $props: AgentChatTemplateProps };
  }
  // slotted content is plain HTML, for which Vue has no `slot` type
  interface HTMLAttributes {
    /** Slot of the custom element around this one that this element goes into. */
    slot?: string | undefined;
  }
}
