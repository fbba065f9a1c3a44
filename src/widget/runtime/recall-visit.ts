import { emptyConversation } from '../../conversation/conversation.ts';
import { readSnapshot } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import type { SessionController } from './session-controller.ts';
import type { ChatStorage } from '../persistence/chat-storage.ts';

/**
 * Puts what is kept of a visit in the place of what is shown: another page kept it since this one was left, or the page
 * said only now whose visit it is. Fetched then: most pages are loaded, and know their visitor.
 */
export function restoreSession(visit: SessionController, host: ChatHost, storage: ChatStorage): void {
  const { session, dispatcher: teller } = visit;
  storage.restore();
  teller.dispatchChanges(session.conversation);
  session.adopt(() => readSnapshot(storage.load()) ?? emptyConversation);
  teller.markSeen(session.conversation); // it was told where it was said
  if (host.config.threadId !== undefined) session.setThread(host.config.threadId);
  if (session.conversation.messages.length === 0) void session.loadHistory();
  visit.setUnread(visit.isViewed ? 0 : (storage.mark?.unread ?? 0));
  host.setDraft(storage.draft).catch(() => undefined); // it is loaded
}
