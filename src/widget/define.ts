import { AgentChat } from './agent-chat.ts';
import { defineElement } from './define-element.ts';

defineElement('agent-chat', AgentChat);

export * from './index.ts';
