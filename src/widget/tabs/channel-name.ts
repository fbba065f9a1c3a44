import type { ChatHost } from '../chat-host.ts';
import { visitKey } from '../persistence/storage-key.ts';

/** Whether all tabs show one conversation, whatever its thread; otherwise only those of the same thread do. */
export function isSharedVisit({ config: { storage, threadId } }: ChatHost): boolean {
  return storage === 'local' && threadId === undefined;
}

/** What tells a visit from all others of the browser. */
export function visitNameOf(host: ChatHost): string {
  return `${visitKey(host)} ${host.config.visitor}`;
}

/** What tells the tabs that show the same conversation from all others. */
export function tabsNameOf(host: ChatHost, threadId: string | undefined): string {
  const { baseUrl, visitor } = host.config;
  return isSharedVisit(host) ? visitNameOf(host) : `agent-chat ${baseUrl} ${threadId} ${visitor}`;
}
