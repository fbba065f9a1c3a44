import { emptyConversation } from '../../conversation/conversation.ts';
import { readSnapshot } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import type { ChatVisit } from './session-controller.ts';
import type { VisitStorage } from '../persistence/chat-storage.ts';

/**
 * Puts what is kept of a visit in the place of what is shown: another page kept it since this one was left, or the page
 * said only now whose visit it is. Fetched then: most pages are loaded, and know their visitor.
 */
export function recallVisit(visit: ChatVisit, host: ChatHost, storage: VisitStorage): void {
  const { session, teller } = visit;
  storage.recall();
  teller.tell(session.conversation);
  session.adopt(() => readSnapshot(storage.load()) ?? emptyConversation);
  teller.skip(session.conversation); // it was told where it was said
  if (host.config.threadId !== undefined) session.setThread(host.config.threadId);
  if (session.conversation.messages.length === 0) void session.loadHistory();
  visit.setUnread(visit.isSeen ? 0 : (storage.mark?.unread ?? 0));
  host.setDraft(storage.draft).catch(() => undefined); // it is loaded
}
