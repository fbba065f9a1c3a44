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

/** What the visitor has done with the data. */
export interface VisitorInput {
  /** Chosen alternatives, by pointer. */
  readonly variants: ReadonlyMap<string, number>;
  /** Pointers of the fields that were changed: emptied ones stay empty. */
  readonly touched: ReadonlySet<string>;
}

/**
 * Fills in defaults where no value is given: `default`, a required `const`, and `false` for a required checkbox.
 * Given values stay; an optional object is created only if something in it is filled in.
 * @param input without it, this is the data that the form begins with: only then the entries of lists are filled in
 */
export function withDefaults(document: SchemaDocument, data: unknown, input?: VisitorInput): unknown {
  const node = { value: data, path: [], required: true, ancestors: [] };
  return new Filler(document, input).fill(document.root, node);
}

/** Initial value of a new list entry, or of an optional part. */
export function newEntry(document: SchemaDocument, schema: unknown): unknown {
  const node = { value: undefined, path: [], required: true, ancestors: [] };
  const entry = new Filler(document).fill(schema, node);
  return entry ?? (typesOf(effectiveSchema(document, schema, undefined).schema)[0] === 'array' ? [] : entry);
}

/** A value to fill in. */
interface DataNode {
  readonly value: unknown;
  readonly path: Path;
  readonly required: boolean;
  /** Schemas that contain this one. */
  readonly ancestors: readonly JsonObject[];
}

class Filler {
  readonly #document: SchemaDocument;
  readonly #input: VisitorInput | undefined;
  #visits = 0;

  constructor(document: SchemaDocument, input?: VisitorInput) {
    this.#document = document;
    this.#input = input;
  }

  fill(schema: unknown, node: DataNode): unknown {
    const { value, path, required } = node;
    this.#visits += 1;
    if (this.#visits > maxVisits || path.length > maxDepth) return value;
    const pointer = pointerOf(path);
    if (value === undefined && this.#input?.touched.has(pointer)) return undefined;
    const chosen = this.#input?.variants.get(pointer);
    const { schema: flat, origins } = effectiveSchema(this.#document, schema, value, chosen);
    // a part within itself has no end
    if (value === undefined && origins.some((origin) => node.ancestors.includes(origin))) return undefined;
    const start = value === undefined ? padded(this.#document, flat, preset(flat, required)) : value;
    const inner = { ...node, value: start, ancestors: [...node.ancestors, ...origins] };
    if (Array.isArray(start))
      return this.#input && start === value ? value : this.#fillList(flat, start, inner);
    const isGroup = own(flat, 'type') === 'object' || Object.hasOwn(flat, 'properties');
    if (!isObject(start) && (start !== undefined || !isGroup)) return start;
    // a required group exists from the start: the visitor can only fill in its fields
    return this.#fillGroup(flat, inner) ?? (required ? {} : undefined);
  }

  #fillGroup(flat: JsonObject, node: DataNode): unknown {
    const required = ownList(flat, 'required');
    let filled = node.value;
    for (const [key, schema] of Object.entries(ownObject(flat, 'properties'))) {
      const value = own(filled, key);
      const path = [...node.path, key];
      const after = this.fill(schema, { ...node, value, path, required: required.includes(key) });
      if (after !== undefined && after !== value)
        filled = { ...(isObject(filled) ? filled : {}), [key]: after };
    }
    return filled;
  }

  #fillList(flat: JsonObject, list: readonly unknown[], node: DataNode): unknown {
    const { fixed, others } = entrySchemas(flat);
    const filled = list.map((value, index) =>
      this.fill(fixed[index] ?? others, { ...node, value, path: [...node.path, index], required: true }),
    );
    return shallowArrayEquals(filled, list) ? list : filled;
  }
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

/** Whether a value has the field's type; otherwise it could be neither shown nor corrected. */
export function fitsType(schema: unknown, value: unknown): boolean {
  const types = typesOf(schema);
  return !types.length || types.some((type) => isOfType(value, type));
}
