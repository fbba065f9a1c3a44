import { enFirst } from './locales/en-first.ts';
import type { Locale } from './locales/en.ts';

/** English as far as it is there; grows when the first thing is drawn that needs more of it. */
export const english: Partial<Locale> = { ...enFirst };

/**
 * Brings the English words for what comes with a finished answer; they are in the same part.
 * @throws TypeError when they cannot be fetched.
 */
export async function bringAnsweredEnglish(): Promise<void> {
  const { enAnswered } = await import('./locales/en-answered.ts');
  Object.assign(english, enAnswered);
}

/**
 * Brings the English words for what many conversations never show.
 * @throws TypeError when they cannot be fetched.
 */
export async function completeEnglish(): Promise<void> {
  const { enLate } = await import('./locales/en-late.ts');
  Object.assign(english, enLate);
}
