import type { ChatHost } from '../chat-host.ts';
import { storageKeyOf } from '../persistence/storage-key.ts';

/** Whether all tabs show one conversation, whatever its thread; otherwise only those of the same thread do. */
export function sharesAcrossTabs({ config: { storage, threadId } }: ChatHost): boolean {
  return storage === 'local' && threadId === undefined;
}

/** Identifies the stored chat of a visitor in this browser. */
export function storageScopeOf(host: ChatHost): string {
  return `${storageKeyOf(host)} ${host.config.visitor}`;
}

/** Name of the channel for all tabs that show the same conversation. */
export function channelNameOf(host: ChatHost, threadId: string | undefined): string {
  const { baseUrl, visitor } = host.config;
  return sharesAcrossTabs(host) ? storageScopeOf(host) : `agent-chat ${baseUrl} ${threadId} ${visitor}`;
}
