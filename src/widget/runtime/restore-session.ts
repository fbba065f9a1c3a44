import { emptyConversation, type Conversation } from '../../conversation/conversation.ts';
import { readSnapshot, type ChatSession } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import type { ChatStorage } from '../persistence/chat-storage.ts';

/**
 * How long the page that was left may take to save its conversation, in ms: Chromium shows this page again before the
 * other one gets `pagehide`.
 */
const lastSaveMs = 100;

/** The part of a session controller that a restored conversation changes. */
interface RestoreTarget {
  readonly session: ChatSession;
  /** Whether the visitor sees the conversation: nothing in it is unread then. */
  readonly isViewed: boolean;
  adopt(change: (conversation: Conversation) => Conversation): void;
  setUnread(count: number): void;
}

/**
 * Replaces the current conversation with the stored one. Needed when another page has stored a newer one since this
 * page was left, or when the page sets `visitor` late. Loaded on demand because both are rare.
 */
export async function restoreSession(
  target: RestoreTarget,
  host: ChatHost,
  storage: ChatStorage,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, lastSaveMs));
  const { session } = target;
  storage.restore();
  target.adopt(() => readSnapshot(storage.load()) ?? emptyConversation);
  if (host.config.threadId !== undefined) session.setThread(host.config.threadId);
  if (session.conversation.messages.length === 0) void session.loadHistory();
  target.setUnread(target.isViewed ? 0 : (storage.panelState?.unread ?? 0));
  host.setDraft(storage.draft).catch(() => undefined); // cannot fail: the runtime is loaded
}
