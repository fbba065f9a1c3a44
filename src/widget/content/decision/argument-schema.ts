import { isObject } from '../../../protocol/json.ts';
import { formatKey } from '../format-value.ts';
import { asObject, list, text, type Fields } from '../read-item.ts';

/** One argument of a call, as people read it. */
export interface Argument {
  readonly key: string;
  /** The schema's title, else a readable form of the key. */
  readonly label: string;
  readonly value: unknown;
  readonly schema: Fields;
}

/** Longest chain of references and alternatives that is followed. */
const maxSteps = 8;

/**
 * The arguments of a call in the order of the schema; those that it does not describe come last. None is left out.
 * @param schema the tool's input schema, unvalidated
 * @param root the document for references. Default: the schema
 */
export function readArguments(schema: unknown, data: Fields, root: unknown = schema): readonly Argument[] {
  const properties = asObject(resolveSchema(schema, root)['properties']);
  const known = Object.keys(properties).filter((key) => Object.hasOwn(data, key));
  const others = Object.keys(data).filter((key) => !Object.hasOwn(properties, key));
  return [...known, ...others].map((key) => {
    const own = Object.hasOwn(properties, key) ? resolveSchema(properties[key], root) : {};
    return {
      key,
      label: text(own['title']).trim() || formatKey(key) || key,
      value: data[key],
      schema: own,
    };
  });
}

/** The schema of a list's entries. */
export function entrySchema(schema: Fields, root: unknown): Fields {
  return resolveSchema(schema['items'], root);
}

/** The schema that a reference or an alternative stands for, with the title that stands beside it. */
function resolveSchema(schema: unknown, root: unknown): Fields {
  let found = asObject(schema);
  for (let step = 0; step < maxSteps; step += 1) {
    const reference = found['$ref'];
    const alternatives = [...list(found['anyOf']), ...list(found['oneOf'])].filter(
      (alternative) => asObject(alternative)['type'] !== 'null',
    );
    const isEnumeration = alternatives.some((alternative) => Object.hasOwn(asObject(alternative), 'const'));
    const next =
      typeof reference === 'string'
        ? referenced(root, reference)
        : alternatives.length === 1 && !isEnumeration
          ? asObject(alternatives[0])
          : undefined;
    if (!next) break;
    found = typeof found['title'] === 'string' ? { ...next, title: found['title'] } : next;
  }
  return found;
}

function referenced(root: unknown, reference: string): Fields | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return isObject(value) ? value : undefined;
}

/** Hints for the form: long texts get a field of several lines. */
export function longTextHints(data: Fields): Fields {
  const long = Object.entries(data).filter(
    ([, value]) => typeof value === 'string' && (value.length > 50 || value.includes('\n')),
  );
  return Object.fromEntries(long.map(([key]) => [key, { 'ui:widget': 'textarea' }]));
}

/** The name that the schema gives a value: the title of an alternative, or an entry of `enumNames`. */
export function nameOfValue(schema: Fields, value: unknown): string {
  const alternatives = [...list(schema['oneOf']), ...list(schema['anyOf'])].map(asObject);
  const named = alternatives.find(
    (alternative) => Object.hasOwn(alternative, 'const') && alternative['const'] === value,
  );
  const index = list(schema['enum']).indexOf(value);
  return text(named?.['title']).trim() || (index < 0 ? '' : text(list(schema['enumNames'])[index]).trim());
}

/** The kind of control that a value of this schema would have, for `formatValue`. */
export function widgetOf(schema: Fields, value: unknown): string {
  if (typeof value === 'number') return 'number';
  const { format } = schema;
  return format === 'date' || format === 'date-time' || format === 'time' ? format : 'text';
}
