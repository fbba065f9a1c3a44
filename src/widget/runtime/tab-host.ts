import type { ChatHost } from '../chat-host.ts';
import type { ChatSession } from '../../session/index.ts';
import type { SessionCommand } from '../../session/session-command.ts';
import { sharesAcrossTabs } from '../tabs/channel-name.ts';
import type { TabHost } from '../tabs/tab-sync.ts';
import type { RunEventDispatcher } from './run-event-dispatcher.ts';

/** The part of the session controller that tab sync uses. */
interface TabController {
  readonly session: ChatSession;
  readonly dispatcher: RunEventDispatcher;
  readonly isViewed: boolean;
  performHere(command: SessionCommand): Promise<void>;
  setUnread(count: number): void;
  tabsChanged(): void;
}

/** Adapts the session controller to tab sync. */
export function createTabHost(controller: TabController, host: ChatHost): TabHost {
  const { session, dispatcher } = controller;
  return {
    get conversation() {
      return session.conversation;
    },
    get state() {
      const { connection, canStop, busy, history, keepsThreads } = session;
      return { session: { connection, canStop, busy, history, keepsThreads }, attended: controller.isViewed };
    },
    get unread() {
      return host.unread;
    },
    get isShared() {
      return sharesAcrossTabs(host);
    },
    adopt: (change) => {
      dispatcher.dispatchChanges(session.conversation);
      session.adopt(change);
      dispatcher.markSeen(session.conversation);
    },
    perform: (command) => controller.performHere(command),
    setUnread: (count) => {
      // the tab that posted the notification may be closed by now
      if (count > 0) session.resumeNotification();
      controller.setUnread(count);
    },
    changed: (peer) => {
      if (peer?.keepsThreads) session.keepsThreads = true; // only one tab follows the thread
      controller.tabsChanged();
    },
    takeOver: () => void session.resume(),
    reconcile: () => void session.loadHistory(),
    follow: (isOn) => (isOn ? session.startFollowing() : session.stopFollowing()),
  };
}
