import type { ChatHost } from '../chat-host.ts';
import type { ChatVisit } from '../runtime/session-controller.ts';
import type { TabOwner } from './tab-sync.ts';
import { isSharedVisit } from './channel-name.ts';

/** A visit as the sync of its tabs sees it. Fetched with the sync: most visits have one tab. */
export function tabOwnerOf(visit: ChatVisit, host: ChatHost): TabOwner {
  const { session, teller } = visit;
  return {
    get conversation() {
      return session.conversation;
    },
    get state() {
      const { connection, canStop, busy, history } = session;
      return { session: { connection, canStop, busy, history }, attended: visit.isSeen };
    },
    get unread() {
      return host.unread;
    },
    get isShared() {
      return isSharedVisit(host);
    },
    adopt: (change) => {
      teller.tell(session.conversation);
      session.adopt(change);
      teller.skip(session.conversation);
    },
    perform: (command) => visit.performHere(command),
    setUnread: (count) => {
      // who posted the notification may be gone by the time this is read
      if (count > 0) session.recallNotification();
      visit.setUnread(count);
    },
    changed: () => visit.tabsChanged(),
    takeOver: () => void session.resume(),
    reconcile: () => void session.loadHistory(),
    follow: (isOn) => (isOn ? session.startFollowing() : session.stopFollowing()),
  };
}
