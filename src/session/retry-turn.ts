import { findRun, replacedBy } from '../conversation/index.ts';
import type { Conversation, ConversationMessage, Prompt } from '../conversation/index.ts';
import { contentOf } from './replacement.ts';

export { supersedeTurn } from '../conversation/supersede.ts';

/** Whether a run has failed without anything new to read since `before`: the service had given it up. */
export function hasOnlyFailed(runKey: string, before: Conversation, after: Conversation): boolean {
  const status = findRun(after, runKey)?.status;
  const hasFailed = status === 'failed' || status === 'expired';
  return hasFailed && contentShown(before, runKey) === contentShown(after, runKey);
}

/** The items of a run's messages as one text, to compare. */
function contentShown({ messages }: Conversation, runKey: string): string {
  return JSON.stringify(messages.filter((message) => message.runKey === runKey).map(({ items }) => items));
}

/** The prompt that repeats a message after later ones. If the service stored the old message, the history hides it. */
export function repeatOf(prompt: ConversationMessage, id: string): Prompt {
  return {
    ...contentOf(prompt),
    id,
    clientMessageId: id,
    replacedClientMessageIds: replacedBy(prompt),
  };
}
