import type { ConversationItem } from '../../conversation/conversation.ts';
import { readItem, sourcesOf } from '../../conversation/items.ts';
import { listOf } from '../../conversation/read-values.ts';
import { withoutPiles } from '../../markdown/piles.ts';
import { isObject } from '../../protocol/json.ts';

/** Fields of an item by name. What an agent sends may be anything: each value is read with the functions below. */
export type Fields = Readonly<Record<string, unknown>>;

const longestLabel = 400;
const longestText = 20_000;

/** Fields of a form that some services send as JSON text. @assumed */
const packed: readonly string[] = ['json_schema', 'ui_schema', 'form_data'];
const unpacked = new WeakMap<Fields, Fields>();

/** An item's own fields; what a form is made of is read where it came as text. */
export function itemFields({ source }: ConversationItem): Fields {
  const texts = packed.filter((key) => typeof source[key] === 'string');
  if (texts.length === 0) return source;
  const known = unpacked.get(source);
  if (known) return known;
  const fields = { ...source, ...Object.fromEntries(texts.map((key) => [key, parsed(source[key])])) };
  unpacked.set(source, fields);
  return fields;
}

/** What an object in JSON says; any other text is what it is. */
function parsed(value: unknown): unknown {
  try {
    const found: unknown = JSON.parse(String(value));
    return isObject(found) ? found : value;
  } catch {
    return value;
  }
}

/** The value as an object; `{}` for anything else. */
export function record(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/**
 * The value as a text: strings as they are, numbers and booleans in words, all else `''`.
 * @param longest Characters kept; the rest becomes an ellipsis. Default 400, enough for a title.
 */
export function text(value: unknown, longest = longestLabel): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  if (value.length <= longest) return withoutPiles(value);
  return `${withoutPiles(value.slice(0, longest)).trimEnd()}…`;
}

/** The first of the values that has a text. */
export function firstText(...values: readonly unknown[]): string {
  for (const value of values) {
    const found = text(value);
    if (found.trim()) return found;
  }
  return '';
}

/**
 * The value as a list; a lone object or text where a list is due is a list of one.
 * @param longest Entries kept. Default 200.
 */
export function list(value: unknown, longest = 200): readonly unknown[] {
  return listOf(value).slice(0, longest);
}

/** The value as a finite number, also when it came as a string. */
export function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/**
 * Items inside an item (a card's body, a grid's cell), read as those of a message are. Their ids are their places: what
 * an agent calls them may be the same in each of its cards.
 */
export function innerItems(
  value: unknown,
  parent: ConversationItem,
  place: string,
): readonly ConversationItem[] {
  return sourcesOf(typeof value === 'string' ? text(value, longestText) : value).map((source, index) =>
    readItem(source, `${parent.id}/${place}/${index}`),
  );
}

/** The value as readable text for a "Details" block: JSON, bounded. */
export function details(value: unknown, longest = 4000): string {
  if (typeof value === 'string') return text(value, longest);
  try {
    return text(JSON.stringify(value, boundedValue(), 2) ?? '', longest);
  } catch {
    return '';
  }
}

/** Stops `JSON.stringify` from spelling out megabytes of which four kilobytes are shown. */
function boundedValue(): (key: string, value: unknown) => unknown {
  let left = 500;
  return (_key, value) => {
    left -= 1;
    if (left < 0) return undefined;
    return typeof value === 'string' && value.length > 1000 ? `${value.slice(0, 1000)}…` : value;
  };
}
