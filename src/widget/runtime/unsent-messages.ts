import type { Conversation, ConversationMessage } from '../../conversation/conversation.ts';

/** The visitor's queued messages, and the last ones that the service rejected, oldest first. */
export function unsentMessages({ messages, runs }: Conversation): readonly ConversationMessage[] {
  const shown = messages.filter(({ hidden, superseded }) => !hidden && !superseded);
  const taken = shown.findLastIndex(({ status }) => status !== 'rejected' && status !== 'queued');
  return shown.filter(({ id, status }, at) =>
    status === 'queued' ? !runs.some((run) => run.id === id) : status === 'rejected' && at > taken,
  );
}
