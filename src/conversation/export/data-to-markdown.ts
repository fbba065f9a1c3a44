import { isObject } from '../../protocol/json.ts';
import type { ConversationItem, ItemAnswer } from '../conversation.ts';
import { asObject, listOf, nonEmptyString, type Fields } from '../read-values.ts';
import { fieldSchema, resolved, withoutPasswords } from '../form-schema.ts';
import { readableName } from '../readable-name.ts';

/** Maximum depth of data; deeper data is left out. */
const maxDepth = 8;
/** Maximum number of entries written per list or object. */
const maxEntries = 200;
/** A form's answer as Markdown, by field titles; `''` when there is none. Passwords are masked. */
export function answerMarkdown({ source }: ConversationItem, answer: ItemAnswer | undefined): string {
  if (!answer || answer.action === 'choose') return '';
  if (answer.action === 'cancel') return '[Cancelled]';
  const root = asObject(source['json_schema']);
  const data = withoutPasswords(source, answer.data);
  return dataMarkdown(data, { root, schema: root }) || '[Submitted]';
}

interface Place {
  /** The complete schema, to resolve references. */
  readonly root: Fields;
  readonly schema: unknown;
}

/** Data as a list of names and values. A schema gives names and the labels of choices. */
export function dataMarkdown(data: unknown, { root, schema }: Place, depth = 0): string {
  const ownSchema = resolved(root, schema);
  if (!isObject(data) && !Array.isArray(data)) return depth === 0 ? valueText(data, ownSchema) : '';
  const indent = '  '.repeat(depth);
  return Object.entries(data)
    .slice(0, maxEntries)
    .flatMap(([key, value]: readonly [string, unknown]) => {
      const field = resolved(root, fieldSchema(ownSchema, key));
      const name = Array.isArray(data)
        ? String(Number(key) + 1)
        : (nonEmptyString(field['title']) ?? readableName(key));
      if (isPlain(value)) {
        const text = valueText(value, field);
        return text ? [`${indent}- ${name}: ${text}`] : [];
      }
      const inner = depth < maxDepth ? dataMarkdown(value, { root, schema: field }, depth + 1) : '…';
      return inner ? [`${indent}- ${name}:\n${inner}`] : [];
    })
    .join('\n');
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((entry) => !isObject(entry) && !Array.isArray(entry))
    : !isObject(value);
}

function valueText(value: unknown, schema: Fields): string {
  if (Array.isArray(value))
    return value
      .map((entry) => valueText(entry, asObject(schema['items'])))
      .filter(Boolean)
      .join(', ');
  const label = labelIn(schema, value);
  if (label !== undefined) return label;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = nonEmptyString(value) ?? '';
  return (text.startsWith('data:') ? fileName(text) : text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
}

/** The label of a choice. */
function labelIn(schema: Fields, value: unknown): string | undefined {
  const choices = ['oneOf', 'anyOf'].flatMap((name) => listOf(schema[name])).map(asObject);
  const titled = choices.find((choice) => choice['const'] === value && value !== undefined);
  const at = listOf(schema['enum']).indexOf(value);
  return (
    nonEmptyString(titled?.['title']) ??
    (at < 0 ? undefined : nonEmptyString(listOf(schema['enumNames'])[at]))
  );
}

/** The file name in a data URL, or else its media type. */
function fileName(url: string): string {
  const head = url.slice(5, 600).split(',', 1)[0] ?? '';
  const name = /;name=([^;]+)/.exec(head)?.[1];
  try {
    return name === undefined ? (head.split(';', 1)[0] ?? '') : decodeURIComponent(name);
  } catch {
    return name ?? '';
  }
}
