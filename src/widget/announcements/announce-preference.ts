import type { AnnounceMode } from './conversation-announcer.ts';

const key = 'agent-chat:announce';

/** The visitor's choice of what is read aloud. Stored like the conversation; not at all with `storage="none"`. */
export const announcePreference = {
  read(storage: 'none' | 'session' | 'local'): AnnounceMode | undefined {
    const stored = area(storage)?.getItem(key);
    return stored === 'answer' || stored === 'sentence' || stored === 'quiet' ? stored : undefined;
  },

  write(storage: 'none' | 'session' | 'local', mode: AnnounceMode): void {
    try {
      area(storage)?.setItem(key, mode);
    } catch {
      // storage is full: the choice lasts until the page is left
    }
  },
} as const;

/** undefined where storage is blocked */
function area(storage: 'none' | 'session' | 'local'): Storage | undefined {
  try {
    return storage === 'local' ? localStorage : storage === 'session' ? sessionStorage : undefined;
  } catch {
    return undefined;
  }
}
