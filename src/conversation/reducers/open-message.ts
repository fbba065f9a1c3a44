import { createMessage } from '../factories.ts';
import type { Conversation, ConversationMessage } from '../conversation.ts';
import { hasEnded } from '../run-status.ts';
import { appendMessage, findRun, updateMessage, updateRun, withFields } from '../update.ts';

/** Opens a new message at the end, to which later deltas without an id belong. */
export function openDraft(
  conversation: Conversation,
  runKey: string,
  at: number,
  known: Partial<ConversationMessage>,
): Conversation {
  const run = findRun(conversation, runKey);
  const isOver = run !== undefined && hasEnded(run);
  const ordinal = conversation.messages.filter((message) => message.runKey === runKey).length;
  const draft: ConversationMessage = {
    ...createMessage({
      id: `${runKey}-${ordinal}`,
      role: 'assistant',
      status: isOver ? 'complete' : 'streaming',
      runKey,
      createdAt: at,
    }),
    ...known,
  };
  const next = appendMessage(conversation, draft);
  if (isOver) return next;
  return updateRun(next, runKey, (current) =>
    withFields(current, { openMessageId: draft.id, unplacedItems: undefined }),
  );
}

/** Completes the run's open message, so that the next delta opens another. */
export function closeDraft(conversation: Conversation, runKey: string): Conversation {
  const run = findRun(conversation, runKey);
  const next = updateMessage(conversation, run?.openMessageId, completed);
  return updateRun(next, runKey, (current) =>
    withFields(current, { openMessageId: undefined, unplacedItems: undefined }),
  );
}

/** Completes a streaming message. */
export function completed(message: ConversationMessage): ConversationMessage {
  return message.status === 'streaming' ? withFields(message, { status: 'complete' }) : message;
}
