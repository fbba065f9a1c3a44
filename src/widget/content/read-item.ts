import type { ConversationItem } from '../../conversation/conversation.ts';
import { readItem, sourcesOf } from '../../conversation/items.ts';
import { asObject, listOf, type Fields } from '../../conversation/read-values.ts';
import { toStreamSafe } from '../../markdown/stream-safe-text.ts';
import { isObject } from '../../protocol/json.ts';

// The fields of an item are unvalidated: each value is read with `asObject` and the functions below.
export { asObject, type Fields };

const maxLabelLength = 400;
const maxTextLength = 20_000;

/** Fields of a form that some services send as JSON text. @assumed */
const jsonFields: readonly string[] = ['json_schema', 'ui_schema', 'form_data'];
const parsedFields = new WeakMap<Fields, Fields>();

/** An item's own fields; fields of a form that were sent as JSON text are parsed. */
export function itemFields({ source }: ConversationItem): Fields {
  const texts = jsonFields.filter((key) => typeof source[key] === 'string');
  if (texts.length === 0) return source;
  const known = parsedFields.get(source);
  if (known) return known;
  const fields = { ...source, ...Object.fromEntries(texts.map((key) => [key, parsed(source[key])])) };
  parsedFields.set(source, fields);
  return fields;
}

/** Parses JSON text that contains an object; returns other values unchanged. */
function parsed(value: unknown): unknown {
  try {
    const found: unknown = JSON.parse(String(value));
    return isObject(found) ? found : value;
  } catch {
    return value;
  }
}

/**
 * The value as a text: strings unchanged, numbers and booleans formatted, everything else `''`.
 * @param maxLength maximum length; longer texts end with an ellipsis. Default 400, enough for a title.
 */
export function text(value: unknown, maxLength = maxLabelLength): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  if (value.length <= maxLength) return toStreamSafe(value);
  return `${toStreamSafe(value.slice(0, maxLength)).trimEnd()}…`;
}

/** The first value that contains text. */
export function firstText(...values: readonly unknown[]): string {
  for (const value of values) {
    const found = text(value);
    if (found.trim()) return found;
  }
  return '';
}

/**
 * The value as a list; a single object or text becomes a list of one.
 * @param maxLength maximum number of entries. Default 200.
 */
export function list(value: unknown, maxLength = 200): readonly unknown[] {
  return listOf(value).slice(0, maxLength);
}

/** The value as a finite number, also from a string. */
export function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/**
 * Items inside an item (a card's body, a grid's cell), read like those of a message. Their ids are their positions,
 * because an agent may repeat the same id in every card.
 */
export function innerItems(
  value: unknown,
  parent: ConversationItem,
  path: string,
): readonly ConversationItem[] {
  return sourcesOf(typeof value === 'string' ? text(value, maxTextLength) : value).map((source, index) =>
    readItem(source, `${parent.id}/${path}/${index}`),
  );
}

/** The value as JSON text of limited length, for a "Details" block. */
export function details(value: unknown, maxLength = 4000): string {
  if (typeof value === 'string') return text(value, maxLength);
  try {
    return text(JSON.stringify(value, boundedValue(), 2) ?? '', maxLength);
  } catch {
    return '';
  }
}

/** Returns a replacer that limits the output of `JSON.stringify`: only four kilobytes of it are shown. */
function boundedValue(): (key: string, value: unknown) => unknown {
  let left = 500;
  return (_key, value) => {
    left -= 1;
    if (left < 0) return undefined;
    return typeof value === 'string' && value.length > 1000 ? `${value.slice(0, 1000)}…` : value;
  };
}
