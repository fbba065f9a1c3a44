import type { Config } from '../config/config-table.ts';

/** The properties of an element that its storage key depends on. */
export interface StorageHost {
  readonly config: Pick<Config, 'baseUrl' | 'agentId' | 'storage' | 'visitor'>;
  readonly isConnected: boolean;
}

/** Elements by the storage key that they own. */
export const storageKeyOwners: Record<string, StorageHost> = {};

/**
 * The storage key of an element: one per service and agent. Further elements with the same agent get a numbered
 * key, in the order in which they are connected. A disconnected element frees its key.
 */
export function storageKeyOf(host: StorageHost): string {
  const { baseUrl, agentId } = host.config;
  let key = `agent-chat ${baseUrl} ${agentId}`;
  let free: string | undefined;
  let holder: StorageHost | undefined;
  while ((holder = storageKeyOwners[key]) && holder !== host) {
    if (!holder.isConnected) free ??= key;
    key += '+';
  }
  if (!holder) storageKeyOwners[(key = free ?? key)] = host;
  return key;
}

/**
 * Reads the stored panel state, which is small enough to read before anything else loads: the whole entry, `1` if
 * the panel was open, the unread count, the visitor. Empty if nothing is stored.
 * @throws SecurityError when the browser blocks storage.
 */
export function readPanelState(host: StorageHost): readonly string[] {
  const kept = areaOf(host.config)?.getItem(storageKeyOf(host));
  return /^(.) (\d+) (.*)$/s.exec(kept ?? '') ?? [];
}

/**
 * The storage that the settings choose; undefined for `none`.
 * @throws SecurityError when the browser blocks storage.
 */
export function areaOf({ storage }: Pick<Config, 'storage'>): Storage | undefined {
  // `sessionStorage` or `localStorage`; there is no `noneStorage`
  return (self as never as Record<string, Storage | undefined>)[`${storage}Storage`];
}
