import type { Conversation } from '../../conversation/conversation.ts';
import { visitorText } from '../../conversation/visitor-text.ts';

/** Texts of the visitor's queued messages and of the last ones that the service rejected, oldest first. */
export function unsentTexts(conversation: Conversation): readonly string[] {
  const { messages, runs } = conversation;
  const shown = messages.filter(({ hidden, superseded }) => !hidden && !superseded);
  const taken = shown.findLastIndex(({ status }) => status !== 'rejected' && status !== 'queued');
  return shown
    .filter(({ id, status }, at) =>
      status === 'queued' ? !runs.some((run) => run.id === id) : status === 'rejected' && at > taken,
    )
    .map((message) => visitorText(message).trim())
    .filter(Boolean);
}
