import { isObject, shallowArrayEquals } from '../../../../protocol/json.ts';
import { mayBeNull } from '../fields/choose-widget.ts';
import { entrySchemas } from './entry-schemas.ts';
import { effectiveSchema } from './effective-schema.ts';
import {
  own,
  ownList,
  ownNumber,
  ownObject,
  pointerOf,
  isOfType,
  typesOf,
  type JsonObject,
  type Path,
} from './json.ts';
import type { SchemaDocument } from './schema-document.ts';

const maxDepth = 12;
/** Maximum number of schemas visited; fields beyond keep the values that they have. */
const maxVisits = 3000;
/** Maximum number of entries of a list that is extended to `minItems`. */
const maxEntries = 50;

/**
 * Fills in defaults where no value is given: `default`, a required `const`, and `false` for a required checkbox.
 * Given values stay; an optional object is created only if something in it is filled in.
 * @param variants alternatives that the visitor chose, by pointer
 */
export function withDefaults(
  document: SchemaDocument,
  data: unknown,
  variants: ReadonlyMap<string, number> = new Map(),
): unknown {
  let visits = 0;
  const fill = (schema: unknown, value: unknown, path: Path, required: boolean): unknown => {
    visits += 1;
    if (visits > maxVisits || path.length > maxDepth) return value;
    const { schema: flat } = effectiveSchema(document, schema, value, variants.get(pointerOf(path)));
    const start = value === undefined ? padded(document, flat, preset(flat, required)) : value;
    if (Array.isArray(start)) return fillList(entrySchemas(flat), start, path);
    const isGroup = own(flat, 'type') === 'object' || Object.hasOwn(flat, 'properties');
    if (!isObject(start) && (start !== undefined || !isGroup)) return start;
    // a required group exists from the start: the visitor can only fill in its fields
    return fillGroup(flat, start, path) ?? (required ? {} : undefined);
  };
  const fillGroup = (flat: unknown, value: unknown, path: Path): unknown => {
    const required = ownList(flat, 'required');
    let filled: unknown = value;
    for (const [key, schema] of Object.entries(ownObject(flat, 'properties'))) {
      const before = own(filled, key);
      const after = fill(schema, before, [...path, key], required.includes(key));
      if (after !== undefined && after !== before)
        filled = { ...(isObject(filled) ? filled : {}), [key]: after };
    }
    return filled;
  };
  const fillList = (
    schemas: ReturnType<typeof entrySchemas>,
    value: readonly unknown[],
    path: Path,
  ): unknown => {
    const filled = value.map((entry, index) =>
      fill(schemas.fixed[index] ?? schemas.others, entry, [...path, index], true),
    );
    return shallowArrayEquals(filled, value) ? value : filled;
  };
  return fill(document.root, data, [], true);
}

/** Initial value of a new list entry. */
export function newEntry(document: SchemaDocument, schema: unknown): unknown {
  const { schema: flat } = effectiveSchema(document, schema, undefined);
  const type = typesOf(flat)[0];
  const start = preset(flat, true);
  if (start !== undefined) return start;
  if (type === 'object' || Object.hasOwn(flat, 'properties')) {
    let entry: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(ownObject(flat, 'properties'))) {
      const value = preset(
        effectiveSchema(document, inner, undefined).schema,
        ownList(flat, 'required').includes(key),
      );
      if (value !== undefined) entry = { ...entry, [key]: value };
    }
    return entry;
  }
  if (type === 'array') return [];
  return undefined;
}

function preset(schema: unknown, required: boolean): unknown {
  const value = own(schema, 'default');
  if (value !== undefined && fitsType(schema, value)) return value;
  if (!required || !isObject(schema)) return undefined;
  // a checkbox that must be ticked stays undefined: only the visitor may tick it
  if (own(schema, 'type') === 'boolean') return Object.hasOwn(schema, 'enum') ? undefined : false;
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  return mayBeNull(schema) ? null : undefined;
}

/** Extends a default list that is too short with new entries. */
function padded(document: SchemaDocument, schema: JsonObject, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const missing = Math.min(ownNumber(schema, 'minItems') ?? 0, maxEntries) - value.length;
  const entry = missing > 0 ? newEntry(document, entrySchemas(schema).others) : undefined;
  return entry === undefined ? value : [...value, ...Array<unknown>(missing).fill(entry)];
}

/** Whether a default has the field's type; otherwise it could be neither shown nor corrected. */
function fitsType(schema: unknown, value: unknown): boolean {
  const types = typesOf(schema);
  return !types.length || types.some((type) => isOfType(value, type));
}
