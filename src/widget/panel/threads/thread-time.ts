import type { Strings } from '../../i18n/strings.ts';
import { timeOfDay } from '../../i18n/time-of-day.ts';

/** Formats when something happened, briefly: the time today, else the day. Empty for an invalid date. */
export function threadTime(iso: string, words: Strings, now: Date = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const days = Math.round((dayOf(now) - dayOf(date)) / 86_400_000);
  if (days === 0) return timeOfDay(date.getTime(), words);
  if (days === 1) return words.t('transcript.yesterday');
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(words.locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}

function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}
