const dayMs = 86_400_000;

/** Languages whose weeks start on Sunday or Saturday, where the browser does not know. */
const weekStarts: Readonly<Record<string, number>> = {
  en: 0, ja: 0, ko: 0, he: 0, pt: 0, zh: 0, ar: 6,
}; // oxfmt-ignore

/** Reads `2026-01-31` as a day in UTC; undefined if there is no such day. */
export function dayOf(iso: string): Date | undefined {
  const date = /^\d{4}-\d\d-\d\d$/.test(iso) ? new Date(`${iso}T00:00:00Z`) : undefined;
  return date && !Number.isNaN(date.getTime()) && isoOf(date) === iso ? date : undefined;
}

/** Writes a day as `2026-01-31`. */
export function isoOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** The visitor's current day. */
export function today(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

function addDays(day: Date, count: number): Date {
  return new Date(day.getTime() + count * dayMs);
}

/** The same day of another month, or that month's last day. */
export function addMonths(day: Date, count: number): Date {
  const first = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day.getUTCDate(), last));
  return first;
}

/** The first day of the week in a language: 0 is Sunday. */
export function firstDayOfWeek(locale: string): number {
  // engines have it as a method, as a property, or not at all
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { readonly firstDay: number };
    weekInfo?: { readonly firstDay: number };
  };
  const firstDay = (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay;
  return firstDay === undefined ? (weekStarts[known.language] ?? 1) : firstDay % 7;
}

/** Number of days since the week began. */
function placeInWeek(day: Date, firstDay: number): number {
  return (day.getUTCDay() - firstDay + 7) % 7;
}

/** The weeks of a day's month; days of other months are undefined. */
export function weeksOf(day: Date, firstDay: number): readonly (readonly (Date | undefined)[])[] {
  const month = day.getUTCMonth();
  const first = addDays(day, 1 - day.getUTCDate());
  const weeks: (Date | undefined)[][] = [];
  for (let start = addDays(first, -placeInWeek(first, firstDay)); ; start = addDays(start, 7)) {
    const week = Array.from({ length: 7 }, (_, index) => addDays(start, index));
    if (weeks.length > 0 && week[0]?.getUTCMonth() !== month) return weeks;
    weeks.push(week.map((date) => (date.getUTCMonth() === month ? date : undefined)));
  }
}

/**
 * The day to which a key moves.
 * @returns undefined for other keys
 */
export function dayByKey(
  day: Date,
  key: { readonly name: string; readonly shift: boolean; readonly rtl: boolean; readonly firstDay: number },
): Date | undefined {
  const forward = key.rtl ? -1 : 1;
  switch (key.name) {
    case 'ArrowRight':
      return addDays(day, forward);
    case 'ArrowLeft':
      return addDays(day, -forward);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'Home':
      return addDays(day, -placeInWeek(day, key.firstDay));
    case 'End':
      return addDays(day, 6 - placeInWeek(day, key.firstDay));
    case 'PageDown':
      return addMonths(day, key.shift ? 12 : 1);
    case 'PageUp':
      return addMonths(day, key.shift ? -12 : -1);
    default:
      return undefined;
  }
}
