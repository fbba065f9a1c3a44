import { readableName } from '../../conversation/readable-name.ts';
import { text } from './read-item.ts';

/** A value, and the kind of field it belongs to. */
export interface FormattableValue {
  readonly widget: string;
  readonly value: unknown;
}

/**
 * Formats a date, time or number in the visitor's locale; a date with a time in the visitor's time zone.
 * @returns undefined for other values, which are shown unchanged
 */
export function formatValue({ widget, value }: FormattableValue, locale: string): string | undefined {
  if (typeof value === 'number' && (widget === 'number' || widget === 'range'))
    return value.toLocaleString(locale, { useGrouping: false, maximumFractionDigits: 20 });
  if (typeof value !== 'string') return undefined;
  if (widget === 'date' && /^\d{4}-\d\d-\d\d$/.test(value))
    return formatInstant(`${value}T00:00Z`, locale, { dateStyle: 'long', timeZone: 'UTC' });
  if (widget === 'date-time' && /^\d{4}-\d\d-\d\d[T ]/i.test(value))
    return formatInstant(value, locale, { dateStyle: 'long', timeStyle: 'short' });
  if (widget === 'time' && /^\d\d:\d\d(:00)?$/.test(value))
    return formatInstant(`1970-01-01T${value}Z`, locale, { timeStyle: 'short', timeZone: 'UTC' });
  return undefined;
}

/**
 * Formats two dates as one range in the visitor's locale.
 * @returns undefined if one of them is missing, is not a date, or if the second is before the first
 */
export function formatDateRange(ends: readonly unknown[], locale: string): string | undefined {
  const [from, to] = ends.map(
    (end) => new Date(/^\d{4}-\d\d-\d\d$/.test(String(end)) ? `${String(end)}T00:00Z` : NaN),
  );
  if (ends.length !== 2 || !from || !to || !(from <= to)) return undefined;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(from, to);
}

/** Formats data without a schema: dates, with a time or without, and two of them with a slash between. */
export function formatIsoDates(value: string, locale: string): string | undefined {
  return (
    formatDateRange(value.split('/'), locale) ??
    formatValue({ widget: 'date', value }, locale) ??
    formatValue({ widget: 'date-time', value }, locale)
  );
}

/** Joins texts as the language does: `A, B, C`, `A, B und C`, `A、B、C`. */
export function formatList(texts: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale, { style: 'narrow' }).format(texts);
}

function formatInstant(
  instant: string,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): string | undefined {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? undefined : date.toLocaleString(locale, options);
}

/** A key of data as a label: `firstName` → `First name`. At most 200 characters. */
export function formatKey(key: string): string {
  return readableName(text(key, 200));
}
