import { isObject, sameJson, shallowArrayEquals } from '../protocol/json.ts';
import { responseTypes } from '../protocol/response-types.ts';
import type { ContentItem } from '../protocol/index.ts';
import type { ConversationItem } from './conversation.ts';
import { nonEmptyString, readJson, readText } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { replaceAt } from './update.ts';

/** Any other item with a `json_schema` is a form. @source interface and wire */
const knownTypes: ReadonlySet<string> = new Set(responseTypes);

/**
 * Reads a message's content in any form: an array of items or strings, one item, or a plain string.
 * Items without an id get one from their index.
 */
export function readItems(content: unknown): readonly ConversationItem[] {
  const taken = new Map<string, number>();
  return sourcesOf(content).map((source, index) =>
    readItem(source, freeId(wireId(source) ?? `item-${index}`, taken)),
  );
}

/**
 * Appends a delta: text to the text item that it names, or else to the last one. An unknown id adds an item; content
 * other than text replaces the item. Returns the same array when nothing changes.
 */
export function appendDelta(
  items: readonly ConversationItem[],
  content: unknown,
): readonly ConversationItem[] {
  const next = [...items];
  const indexes = new Map(items.map(({ id }, index) => [id, index]));
  for (const part of sourcesOf(content)) {
    const named = wireId(part);
    const type = typeOf(part);
    const index = (named === undefined ? lastText(next, type) : indexes.get(named)) ?? next.length;
    const old = next[index];
    if (type === 'text' && (!old || old.type === 'text')) {
      const text = textOfItem(part);
      if (text === '') continue;
      if (old) {
        next[index] = grown(old, text);
        continue;
      }
    }
    let id = old?.id ?? named ?? `item-${index}`;
    if (!old) while (indexes.has(id)) id += '-2';
    indexes.set(id, index);
    const item = readItem(old && part['response_type'] == null ? { ...old.source, ...part } : part, id);
    if (!old || !sameItem(old, item)) next[index] = item;
  }
  return shallowArrayEquals(next, items) ? items : next;
}

/**
 * Replaces a draft's items with the final ones. Items keep the draft's ids, and stay the same objects if they did not
 * change.
 */
export function replaceItems(
  draft: readonly ConversationItem[],
  final: readonly ConversationItem[],
): readonly ConversationItem[] {
  const taken = new Set(final.map((item) => item.id));
  const next = final.map((item, index) => {
    const same = draft.find((candidate) => candidate.id === item.id);
    if (same) return sameItem(same, item) ? same : item;
    const atIndex = draft[index];
    if (!atIndex || atIndex.type !== item.type || taken.has(atIndex.id)) return item;
    const kept = { ...item, id: atIndex.id };
    return sameItem(atIndex, kept) ? atIndex : kept;
  });
  return shallowArrayEquals(next, draft) ? draft : next;
}

/** Adds an item, or replaces the one with the same id. */
export function upsertItem(
  items: readonly ConversationItem[],
  item: ConversationItem,
): readonly ConversationItem[] {
  const index = items.findIndex((candidate) => candidate.id === item.id);
  if (index < 0) return [...items, item];
  return replaceAt(items, index, (old) => (sameItem(old, item) ? old : item));
}

/** Creates an item from a content item of the service. */
export function readItem(source: Fields, id: string): ConversationItem {
  const type = typeOf(source);
  return {
    id,
    type,
    text: type === 'text' ? textOfItem(source) : '',
    source: asContentItem(source),
  };
}

function textOfItem({ text, content }: Fields): string {
  return typeof text === 'number' ? `${text}` : readText(text ?? content);
}

/** The items in a message or a container item, in any form: a list of items and strings, one of either, or none. */
export function sourcesOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string')
    return content === '' ? [] : (itemsIn(content) ?? [{ response_type: 'text', text: content }]);
  if (isObject(content)) return [content];
  if (!Array.isArray(content)) return [];
  if (content.every(isObject)) return content; // the usual case
  return content.flatMap((part: unknown): Fields[] => {
    if (typeof part === 'string') return [{ response_type: 'text', text: part }];
    return isObject(part) ? [part] : [];
  });
}

/** The items of a list that some services store as JSON text. @assumed */
function itemsIn(text: string): readonly Fields[] | undefined {
  if (!/^\[\{.*"response_type"/s.test(text)) return undefined;
  const items = readJson(text);
  const isItem = (item: unknown): item is Fields => isObject(item) && item['response_type'] != null;
  return Array.isArray(items) && items.every(isItem) ? items : undefined;
}

/** String concatenation makes a rope, so a long answer costs no more per delta than a short one. */
function grown(item: ConversationItem, text: string): ConversationItem {
  const whole = item.text + text;
  return { id: item.id, type: item.type, text: whole, source: { ...item.source, text: whole } };
}

function lastText(items: readonly ConversationItem[], type: string): number | undefined {
  const last = items.length - 1;
  return type === 'text' && items[last]?.type === 'text' ? last : undefined;
}

function sameItem(left: ConversationItem, right: ConversationItem): boolean {
  return left.type === right.type && left.text === right.text && sameJson(left.source, right.source);
}

function typeOf(source: Fields): string {
  const type = nonEmptyString(source['response_type']) ?? knownName(source['type']);
  if (type !== undefined && knownTypes.has(type)) return type;
  if (source['json_schema'] != null) return 'form';
  if (type !== undefined) return type;
  if (source['text'] != null) return 'text';
  if (nonEmptyString(source['form_operation']) !== undefined) return 'form_operation';
  return 'unknown';
}

function knownName(value: unknown): string | undefined {
  return typeof value === 'string' && knownTypes.has(value) ? value : undefined;
}

/** Services without item ids name a delta's item by `index`. @assumed */
function wireId(source: Fields): string | undefined {
  return (
    nonEmptyString(source['id']) ??
    (typeof source['index'] === 'number' ? `item-${source['index']}` : undefined)
  );
}

/**
 * Makes ids unique: two items of a message may have the same id on the wire.
 * @param taken each id, with the number that the last item with this id got
 */
function freeId(id: string, taken: Map<string, number>): string {
  let count = taken.get(id) ?? 1;
  let free = id;
  while (taken.has(free)) free = `${id}-${(count += 1)}`;
  taken.set(free, 1).set(id, count);
  return free;
}

/** Content items are open objects; renderers check each field they read. */
function asContentItem(source: Fields): ContentItem {
  return source as ContentItem;
}
