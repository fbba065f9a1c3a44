import type { Config } from '../config/config-table.ts';
import type { AnnounceMode } from './conversation-announcer.ts';

const key = 'agent-chat:announce';

/** The visitor's choice of what is read aloud. Stored like the conversation; not at all with `storage="none"`. */
export const announcePreference = {
  read(storage: Config['storage']): AnnounceMode | undefined {
    const stored = storageArea(storage)?.getItem(key);
    return stored === 'answer' || stored === 'sentence' || stored === 'quiet' ? stored : undefined;
  },

  write(storage: Config['storage'], mode: AnnounceMode): void {
    try {
      storageArea(storage)?.setItem(key, mode);
    } catch {
      // storage is full: the choice lasts until the page is left
    }
  },
} as const;

/** undefined with `none`, and where the browser blocks storage */
function storageArea(storage: Config['storage']): Storage | undefined {
  if (storage === 'none') return undefined;
  try {
    return storage === 'local' ? localStorage : sessionStorage;
  } catch {
    return undefined;
  }
}
