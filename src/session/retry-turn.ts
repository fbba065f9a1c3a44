import { findMessage, findRun, replacedBy } from '../conversation/index.ts';
import type { Conversation, ConversationMessage, Prompt } from '../conversation/index.ts';
import { supersedeTurn } from '../conversation/supersede.ts';
import { contentOf } from './replacement.ts';
import type { SessionContext } from './session-context.ts';
import type { TurnQueue } from './turn-queue.ts';

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

/** Hides a turn, but none of the later ones, and sends its message again at the end. */
export async function sendAgain(
  { store, clock }: SessionContext,
  turns: TurnQueue,
  prompt: ConversationMessage,
): Promise<void> {
  if (findMessage(store.conversation, prompt.id) !== prompt) return; // sent again by another press
  store.change((conversation) => supersedeTurn(conversation, prompt.id));
  await turns.add(repeatOf(prompt, clock.uuid()));
}

/** The prompt that repeats a message after later ones. If the service stored the old message, the history hides it. */
function repeatOf(prompt: ConversationMessage, id: string): Prompt {
  return {
    ...contentOf(prompt),
    id,
    clientMessageId: id,
    replacedClientMessageIds: replacedBy(prompt),
  };
}
