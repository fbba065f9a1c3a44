/* oxlint-disable typescript/consistent-type-imports -- an ambient module cannot import, only name types this way */
// Types of the package's public entries for the pages here; the build resolves the names themselves.

declare module 'agent-chat/client' {
  export const createAgentClient: typeof import('../src/client/index.ts').createAgentClient;
  export type AgentClient = import('../src/client/index.ts').AgentClient;
}

declare module 'agent-chat/protocol' {
  export type EmbeddedChatConfig = import('../src/protocol/index.ts').EmbeddedChatConfig;
  export type EmbeddedChatConfigResponse = import('../src/protocol/index.ts').EmbeddedChatConfigResponse;
}

declare module 'agent-chat' {
  export type AgentChat = import('../src/widget/define.ts').AgentChat;
}
