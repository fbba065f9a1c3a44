export { AgentChat } from './element/agent-chat.ts';
export * from './events/chat-events.ts';
export { configTable, type Config, type ConfigKey } from './config/config-table.ts';
export type { ConfigProperties } from './config/config-properties.ts';
export type {
  AllowedOrigins,
  HostHeader,
  HostOptions,
  Mentionable,
  MessageDefaults,
  Starter,
  UploadDocument,
  UploadResult,
} from './config/host-options.ts';
export type { HostRenderContext, HostRenderer } from './config/host-options.ts';
export type { PageTool, PageToolOptions } from './config/page-tool.ts';
export type { StringOverrides } from './i18n/create-strings.ts';
