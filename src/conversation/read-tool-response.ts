import { isObject } from '../protocol/json.ts';
import type { ConversationItem } from './conversation.ts';
import { readItem } from './items.ts';
import { nonEmptyString, readJson, readText } from './read-values.ts';
import type { Fields } from './read-values.ts';

/** Longer results, in characters, are shown as their original text. */
const maxParsedLength = 262_144;

/** A tool's result in readable form. */
export interface ToolResponse {
  readonly text: string;
  /** Forms or options in the result, to show to the visitor. */
  readonly items: readonly ConversationItem[];
  readonly failed: boolean;
}

/**
 * Reads a tool's response: text, an object, or the JSON of an MCP result (`content[]`, `structuredContent`, `isError`,
 * and a `_meta` key ending in `/widget` that carries a form or options).
 * @source wire, section 4
 */
export function readToolResponse(content: unknown, callId: string): ToolResponse {
  const result = parseIfJson(content);
  if (!isObject(result)) return { text: toText(content), items: [], failed: false };
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const items = Object.entries(meta).flatMap(([key, value]) =>
    key.endsWith('/widget') ? widgetItems(value, callId) : [],
  );
  const isResult = Array.isArray(result['content']) || 'structuredContent' in result;
  const text = isResult
    ? readText(result['content']) || toText(result['structuredContent'])
    : toText(content);
  return { text, items, failed: isResult && result['isError'] === true };
}

function widgetItems(value: unknown, callId: string): readonly ConversationItem[] {
  const widgets = [parseIfJson(value)].flat().filter(isObject);
  return widgets.flatMap((widget, index) => {
    const source = widgetSource(widget);
    if (!source) return [];
    const id = nonEmptyString(source['id']) ?? (index === 0 ? callId : `${callId}-${index}`);
    return [readItem({ ...source, id }, `widget-${id}`)];
  });
}

function widgetSource(widget: Fields): Fields | undefined {
  if (isObject(widget['json_schema'])) return { response_type: 'form', ...widget };
  if (nonEmptyString(widget['response_type']) !== undefined) return widget;
  if (Array.isArray(widget['options'])) return { response_type: 'option', ...widget };
  const inner = widget['form'] ?? widget['data'] ?? widget['content'];
  return isObject(inner) && !isObject(inner['form']) ? widgetSource(inner) : undefined;
}

function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const start = value.trimStart()[0];
  if ((start !== '{' && start !== '[') || value.length > maxParsedLength) return value;
  return readJson(value) ?? value;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.length > 0 && value.every((part) => readText(part) !== ''))
    return readText(value);
  return JSON.stringify(value, null, 2) ?? '';
}
