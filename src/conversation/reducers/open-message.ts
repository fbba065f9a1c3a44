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
  return isOver ? next : withOpenMessage(next, runKey, draft.id);
}

/** Completes the run's open message, so that the next delta opens another. */
export function closeDraft(conversation: Conversation, runKey: string): Conversation {
  const run = findRun(conversation, runKey);
  return withOpenMessage(updateMessage(conversation, run?.openMessageId, completed), runKey, undefined);
}

/** Sets the message to which later deltas of a run belong. */
export function withOpenMessage(
  conversation: Conversation,
  runKey: string,
  openMessageId: string | undefined,
): Conversation {
  return updateRun(conversation, runKey, (run) =>
    withFields(run, { openMessageId, unplacedItems: undefined }),
  );
}

/** Completes a streaming message. */
export function completed(message: ConversationMessage): ConversationMessage {
  return message.status === 'streaming' ? withFields(message, { status: 'complete' }) : message;
}
