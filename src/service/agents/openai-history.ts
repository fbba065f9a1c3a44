import type { StoredMessage } from '../../protocol/index.ts';
import { textOf, type AgentRun } from './agent.ts';

/** One turn as a chat-completions service reads it. */
export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Builds the conversation the model sees: the agent's prompt, what the host tells of the visitor, and the thread. */
export function chatTurns(run: AgentRun, systemPrompt: string | undefined): ChatTurn[] {
  const turns: ChatTurn[] = [];
  if (systemPrompt !== undefined) turns.push({ role: 'system', content: systemPrompt });
  const known = { ...present('context', run.context), ...present('context_variables', run.contextVariables) };
  if (Object.keys(known).length > 0) {
    turns.push({
      role: 'system',
      content: `What is known of this conversation, as JSON:\n${JSON.stringify(known)}`,
    });
  }
  for (const message of [...run.history, run.message]) {
    const content = wordsOf(message);
    if (content !== '') turns.push({ role: message.role === 'user' ? 'user' : 'assistant', content });
  }
  return turns;
}

function present(name: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(value).length > 0 ? { [name]: value } : {};
}

/** The words of a message; forms and other items that hold no text are given as JSON. */
function wordsOf(message: StoredMessage): string {
  const text = textOf(message);
  if (text !== '' || !Array.isArray(message.content)) return text;
  const told = message.content.filter((item) => item.form_data != null || item.form_operation != null);
  return told.length === 0
    ? ''
    : JSON.stringify(told.map(({ form_operation, form_data }) => ({ form_operation, form_data })));
}
