import type { ChatSession } from '../../session/index.ts';

/** The part of the session controller that a hidden tab uses. */
export interface HiddenTab {
  readonly session: Pick<ChatSession, 'pauseFollowing'>;
  /** Whether the page was left. */
  readonly isAway: boolean;
  /** Loads the thread's stored messages. */
  readThread(): Promise<void>;
}

/** How many hidden tabs of a browser follow their threads. Over HTTP/1.1, all tabs share six connections to a host. */
const maxFollowing = 2;

/** Whether this hidden tab may follow its thread; undefined while the tab is visible. */
let mayFollow: Promise<boolean> | undefined;

/**
 * Call when the tab is hidden. If enough hidden tabs follow their threads, this one pauses until it is visible, and then
 * loads what it has missed. Without Web Locks, as on pages without HTTPS, every hidden tab pauses.
 */
export async function pauseWhileHidden(tab: HiddenTab): Promise<void> {
  const visible = untilVisible();
  mayFollow ??= holdAnyLock(visible);
  void visible.then(() => (mayFollow = undefined));
  if ((await mayFollow) || !document.hidden) return;
  tab.session.pauseFollowing(true);
  await visible;
  tab.session.pauseFollowing(false);
  if (!tab.isAway) await tab.readThread();
}

function untilVisible(): Promise<void> {
  return new Promise((resolve) => {
    const onChange = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', onChange);
      resolve();
    };
    document.addEventListener('visibilitychange', onChange);
  });
}

/** Holds one of `maxFollowing` locks until the tab is visible. Resolves with false when other tabs hold all of them. */
async function holdAnyLock(visible: Promise<void>): Promise<boolean> {
  for (let index = 1; index <= maxFollowing; index += 1)
    if (await holdLock(`agent-chat hidden ${index}`, visible)) return true;
  return false;
}

function holdLock(name: string, end: Promise<void>): Promise<boolean> {
  // missing in insecure contexts, whatever its type says
  const { locks } = navigator as { readonly locks?: LockManager };
  return new Promise((resolve) => {
    if (!locks) return resolve(false);
    const hold = async (lock: Lock | null): Promise<void> => {
      resolve(lock !== null);
      if (lock) await end;
    };
    // not permitted, such as in a sandboxed frame
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(false));
  });
}
