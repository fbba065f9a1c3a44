import { emptyConversation } from '../../conversation/conversation.ts';
import { readSnapshot } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import type { SessionController } from './session-controller.ts';
import type { ChatStorage } from '../persistence/chat-storage.ts';

/**
 * Replaces the current conversation with the stored one. Needed when another page has stored a newer one since this
 * page was left, or when the page sets `visitor` late. Loaded on demand because both are rare.
 */
export function restoreSession(visit: SessionController, host: ChatHost, storage: ChatStorage): void {
  const { session, dispatcher: teller } = visit;
  storage.restore();
  teller.dispatchChanges(session.conversation);
  session.adopt(() => readSnapshot(storage.load()) ?? emptyConversation);
  teller.markSeen(session.conversation); // these runs were dispatched on the page where they happened
  if (host.config.threadId !== undefined) session.setThread(host.config.threadId);
  if (session.conversation.messages.length === 0) void session.loadHistory();
  visit.setUnread(visit.isViewed ? 0 : (storage.mark?.unread ?? 0));
  host.setDraft(storage.draft).catch(() => undefined); // cannot fail: the runtime is loaded
}
