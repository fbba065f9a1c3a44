import type { Strings } from './create-strings.ts';

/** By locale; to create one takes longer than to format a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Hours and minutes as the language writes them; `''` for an unknown time, in ms since the epoch. */
export function timeOfDay(at: number | undefined, { locale }: Strings): string {
  if (!at) return '';
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  formats.set(locale, format);
  return format.format(at);
}
