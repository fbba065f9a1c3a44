import type { Conversation } from '../conversation.ts';
import { findRun, updateMessage, withFields } from '../update.ts';

/** The answer's parent is the visitor's message: its id is needed for what follows from it. */
export function rememberPrompt(
  conversation: Conversation,
  runKey: string | undefined,
  parentId: string | undefined,
): Conversation {
  const run = findRun(conversation, runKey);
  if (!run || parentId === undefined) return conversation;
  if (conversation.messages.some((message) => message.messageId === parentId)) return conversation;
  return updateMessage(conversation, run.promptId, (prompt) =>
    withFields(prompt, { messageId: prompt.messageId ?? parentId }),
  );
}
