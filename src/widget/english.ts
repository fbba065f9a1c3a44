import { enFirst } from './locales/en-first.ts';
import type { Locale } from './locales/en.ts';

/** English as far as it is there; grows when the first thing is drawn that needs more of it. */
export const english: Partial<Locale> = { ...enFirst };

/**
 * Brings the rest of the English words.
 * @throws TypeError when they cannot be fetched.
 */
export async function completeEnglish(): Promise<void> {
  const { enLate } = await import('./locales/en-late.ts');
  Object.assign(english, enLate);
}
