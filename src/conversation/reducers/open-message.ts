import { createMessage } from '../factories.ts';
import type { Conversation, ConversationMessage } from '../conversation.ts';
import { hasEnded } from '../run-status.ts';
import { appendMessage, findMessage, findRun, updateMessage, updateRun, withFields } from '../update.ts';

/** Initial fields of a draft. */
type Known = Partial<Pick<ConversationMessage, 'messageId' | 'role' | 'items'>>;

/** Opens a new message at the end, to which later deltas without an id belong. */
export function openDraft(
  conversation: Conversation,
  runKey: string,
  at: number,
  known: Known,
): Conversation {
  const run = findRun(conversation, runKey);
  const isOver = run !== undefined && hasEnded(run);
  const draft: ConversationMessage = {
    ...createMessage({
      id: nextDraftId(conversation, runKey),
      role: known.role ?? 'assistant',
      status: isOver ? 'complete' : 'streaming',
      runKey,
      createdAt: at,
    }),
    messageId: known.messageId,
    items: known.items ?? [],
  };
  const next = appendMessage(conversation, draft);
  if (isOver) return next;
  return updateRun(next, runKey, (current) =>
    withFields(current, { openMessageId: draft.id, unplacedItems: undefined }),
  );
}

/** The id that the run's next draft will have. */
export function nextDraftId(conversation: Conversation, runKey: string): string {
  return `${runKey}-${conversation.messages.filter((message) => message.runKey === runKey).length}`;
}

/** Completes the run's open message, so that the next delta opens another. */
export function closeDraft(conversation: Conversation, runKey: string): Conversation {
  const run = findRun(conversation, runKey);
  const next = updateMessage(conversation, run?.openMessageId, completed);
  return updateRun(next, runKey, (current) =>
    withFields(current, { openMessageId: undefined, unplacedItems: undefined }),
  );
}

/** The message for content that names none: the open one, or else a new one. */
export function ensureDraft(
  conversation: Conversation,
  runKey: string,
  at: number,
): { readonly conversation: Conversation; readonly draft: string } {
  const run = findRun(conversation, runKey);
  const open = findMessage(conversation, run?.openMessageId);
  if (open) return { conversation, draft: open.id };
  return { conversation: openDraft(conversation, runKey, at, {}), draft: nextDraftId(conversation, runKey) };
}

/** Completes a streaming message. */
export function completed(message: ConversationMessage): ConversationMessage {
  return message.status === 'streaming' ? withFields(message, { status: 'complete' }) : message;
}
