import type { Config } from '../config/config-table.ts';

/** The element of a visit, as far as its storage goes. */
export interface StorageHost {
  readonly config: Pick<Config, 'baseUrl' | 'agentId' | 'storage' | 'visitor'>;
  readonly isConnected: boolean;
}

/** Which element of the page keeps its visit under which name. */
export const storageKeyOwners: Record<string, StorageHost> = {};

/**
 * Under which name a visit is kept: one for each agent of a service. A second element with the same agent has one of its
 * own, in the order in which they come into the page. Who left the page leaves its name to who comes.
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
 * What a page keeps of an earlier visit beside the conversation, small enough to be read before anything else is
 * loaded: all of it, `1` when the panel stood open, number of answers that came unseen, whose visit it was. Nothing
 * when there was none, or none is kept.
 * @throws what the browser throws where storage is forbidden.
 */
export function readPanelState(host: StorageHost): readonly string[] {
  // by the platform's own names; there is no `noneStorage`
  const areas = self as never as Record<string, Storage | undefined>;
  const kept = areas[`${host.config.storage}Storage`]?.getItem(storageKeyOf(host));
  return /^(.) (\d+) (.*)$/s.exec(kept ?? '') ?? [];
}
