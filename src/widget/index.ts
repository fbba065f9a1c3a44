export { AgentChat } from './agent-chat.ts';
export * from './events.ts';
export { configTable, type Config, type ConfigKey } from './config-table.ts';
export type { ConfigProperties } from './config-properties.ts';
export type {
  AllowedOrigins,
  HostHeader,
  HostOptions,
  Mentionable,
  MessageDefaults,
  Starter,
  UploadDocument,
} from './host-options.ts';
export type { HostRenderContext, HostRenderer } from './content/content-renderer.ts';
export type { WordOverrides } from './create-words.ts';
