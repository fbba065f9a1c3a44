import type { AnnounceMode } from './announced-state.ts';

const key = 'agent-chat:announce';

/** What a visitor chose to have read aloud; kept where the conversation is, and nowhere with `storage="none"`. */
export const announcePreference = {
  read(storage: 'none' | 'session' | 'local'): AnnounceMode | undefined {
    const kept = area(storage)?.getItem(key);
    return kept === 'answer' || kept === 'sentence' || kept === 'quiet' ? kept : undefined;
  },

  write(storage: 'none' | 'session' | 'local', mode: AnnounceMode): void {
    try {
      area(storage)?.setItem(key, mode);
    } catch {
      // full: the choice holds until the page is left
    }
  },
} as const;

/** Undefined where storage is forbidden. */
function area(storage: 'none' | 'session' | 'local'): Storage | undefined {
  try {
    return storage === 'local' ? localStorage : storage === 'session' ? sessionStorage : undefined;
  } catch {
    return undefined;
  }
}
