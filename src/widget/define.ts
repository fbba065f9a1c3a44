import { AgentChat } from './element/agent-chat.ts';
import { defineElement } from './platform/define-element.ts';

defineElement('agent-chat', AgentChat);

export * from './index.ts';
