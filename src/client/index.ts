export * from './agent-client.ts';
export { createAgentClient } from './create-agent-client.ts';
export * from './errors.ts';
export * from './response-errors.ts';
export * from './framing/index.ts';
