import { isObject } from '../../protocol/json.ts';
import type { ConversationItem, ItemAnswer } from '../conversation.ts';
import { asObject, listOf, nonEmptyString, type Fields } from '../read-values.ts';
import { readableName } from '../readable-name.ts';

/** Maximum depth of data; deeper data is left out. */
const maxDepth = 8;
/** Maximum number of entries written per list or object. */
const maxEntries = 200;
/** Deeper data is left out when passwords are masked, because a password there would not be found. */
const maxMaskedDepth = 40;
/** Maximum length of a chain of references; a longer one is taken for a circle. */
const maxReferences = 20;
/** Written instead of a password. */
export const mask = '••••••';

/** A form's answer as Markdown, by field titles; `''` when there is none. Passwords are masked. */
export function answerMarkdown({ source }: ConversationItem, answer: ItemAnswer | undefined): string {
  if (!answer || answer.action === 'choose') return '';
  if (answer.action === 'cancel') return '[Cancelled]';
  const root = asObject(source['json_schema']);
  const data = withoutPasswords(source, answer.data);
  return dataMarkdown(data, { root, schema: root }) || '[Submitted]';
}

/** A form's data with every password masked, whether `json_schema` or `ui_schema` says that it is one. */
export function withoutPasswords({ json_schema, ui_schema }: Fields, data: unknown): unknown {
  const root = asObject(json_schema);
  return masked(data, { root, schema: root, ui: asObject(ui_schema) });
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

function masked(data: unknown, place: Place & { readonly ui: Fields }, depth = 0): unknown {
  const { root, ui } = place;
  const schema = resolved(root, place.schema);
  const widget = ui['ui:widget'] ?? asObject(ui['ui:options'])['widget'];
  if (widget === 'password' || schema['format'] === 'password') return data ? mask : data;
  if (depth > maxMaskedDepth) return undefined;
  if (Array.isArray(data)) {
    const items = { root, schema: schema['items'], ui: asObject(ui['items']) };
    return data.map((entry) => masked(entry, items, depth + 1));
  }
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const field = { root, schema: fieldSchema(schema, key), ui: asObject(ui[key]) };
      return [key, masked(value, field, depth + 1)];
    }),
  );
}

/** The schema of a field, alternatives included. If the field is a password in one of them, it counts as one. */
function fieldSchema(schema: Fields, key: string): unknown {
  const own =
    asObject(schema['properties'])[key] ?? (schema['type'] === 'array' ? schema['items'] : undefined);
  if (own !== undefined) return own;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name]));
  const branches = [...parts, schema['then'], schema['else'], ...dependents(schema)];
  return branches
    .map((part) => asObject(asObject(part)['properties'])[key])
    .find((found) => found !== undefined);
}

/** The schemas that apply when another field is present. */
function dependents(schema: Fields): readonly unknown[] {
  return [schema['dependencies'], schema['dependentSchemas']]
    .flatMap((part) => Object.values(asObject(part)))
    .flatMap((part) => [part, ...listOf(asObject(part)['oneOf'])]);
}

/** Follows references within the schema. */
function resolved(root: Fields, schema: unknown, depth = 0): Fields {
  const fields = asObject(schema);
  const reference = fields['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/') || depth > maxReferences) return fields;
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => asObject(at)[part.replaceAll('~1', '/').replaceAll('~0', '~')], root);
  const { $ref: _, ...own } = fields;
  return { ...resolved(root, target, depth + 1), ...own };
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
  return (text.startsWith('data:') ? fileName(text) : text).replace(/\s*\n\s*/g, ' ').trim();
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
