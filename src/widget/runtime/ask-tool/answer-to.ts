import type { Conversation } from '../../../conversation/conversation.ts';
import { visitorText } from '../../../conversation/visitor-text.ts';

/** The result of a tool, as MCP shapes it. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

/** Returns the answer to the latest message with a text, for an agent. */
export function answerTo({ messages, runs }: Conversation, question: string): ToolAnswer {
  const prompt = messages.findLast(
    (message) => message.role === 'user' && visitorText(message).trim() === question.trim(),
  );
  const run = runs.find(({ id }) => id === prompt?.runKey);
  if (!run) return failure('The question was not sent.');
  const words = messages
    .filter(({ role, runKey, hidden }) => role !== 'user' && runKey === run.id && !hidden)
    .flatMap(({ items }) => items.map(({ text }) => text))
    .filter(Boolean)
    .join('\n\n');
  if (run.failure) return failure(words || 'The assistant could not answer.');
  if (run.status === 'waiting')
    return result(`${words}\n\n[The assistant waits for the visitor's answer in the chat.]`.trim());
  return result(words || '[The answer has no text. The visitor sees it in the chat.]');
}

function result(text: string): ToolAnswer {
  return { content: [{ type: 'text', text }] };
}

function failure(text: string): ToolAnswer {
  return { ...result(text), isError: true };
}
