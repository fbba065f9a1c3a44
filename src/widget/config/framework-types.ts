import type { ConfigProperties } from './config-properties.ts';
import type { HostOptions } from './host-options.ts';

/** `message-submit` → `MessageSubmit` */
export type PascalCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Capitalize<Head>}${PascalCase<Tail>}`
  : Capitalize<Name>;
/** `agentId` → `agent-id` */
export type KebabCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `-${Lowercase<Head>}`}${KebabCase<Tail>}`
  : Name;

/** Settings and options as properties; `undefined` means the default. */
export type AgentChatSettings = {
  readonly [Key in keyof ConfigProperties]?: ConfigProperties[Key] | undefined;
} & { readonly [Key in keyof HostOptions]?: HostOptions[Key] | undefined } & {
  /** The chat's look in the API's own shape. Overrides the JSON; single settings override it. */
  readonly layout?: Readonly<Record<string, unknown>> | undefined;
};
