import { isObject } from '../../../../protocol/json.ts';
import { isEqual, own, ownList, ownObject, ownText, typeOf, typesOf, type JsonObject } from './json.ts';
import { isSchema, type Schema, type SchemaDocument } from './schema-document.ts';
import { isValid } from './validate.ts';

/** Maximum length of a chain of references, and nesting of conditions. */
const maxDepth = 40;
/** Maximum number of schemas merged into one field: branches that double at each step would never end. */
const maxMerged = 500;

/** A schema with references resolved and conditions evaluated, as far as a form shows it. */
export interface EffectiveSchema {
  readonly schema: JsonObject;
  /** Alternatives to choose from (`oneOf`, `anyOf`), without pure lists of constants. */
  readonly variants: readonly Schema[];
  /** Index of the active alternative. */
  readonly variant: number;
  /** The schemas that were referred to, for detecting recursion. */
  readonly origins: readonly JsonObject[];
}

/**
 * Resolves references, merges `allOf`, evaluates `if/then/else` and dependencies with the data, and adds the chosen
 * alternative. For rendering only: validation always uses the original schema.
 * @param chosen the alternative that the visitor chose; undefined lets the data decide
 */
export function effectiveSchema(
  document: SchemaDocument,
  schema: unknown,
  data: unknown,
  chosen?: number,
): EffectiveSchema {
  const origins: JsonObject[] = [];
  const flat = nullable(document, flatten(document, isSchema(schema) ? schema : true, data, origins, 0), {
    data,
    origins,
  });
  const variants = variantsOf(document, flat);
  if (!variants.length) return { schema: flat, variants, variant: 0, origins };
  const variant = clamp(chosen ?? fittingVariant(document, variants, data), variants.length);
  // the title of an alternative names the alternative, not its field
  const branch = flatten(document, variants[variant] ?? true, data, origins, 0);
  const settled = settle(
    document,
    merge(omit(flat, ['oneOf', 'anyOf']), omit(branch, ['title', 'description'])),
    data,
    origins,
    0,
  );
  return { schema: settled, variants, variant, origins };
}

/** A schema's own title, or that of the schema it refers to. */
export function titleOf(document: SchemaDocument, schema: unknown): string | undefined {
  const reference = ownText(schema, '$ref');
  const title = ownText(schema, 'title');
  if (title !== undefined || reference === undefined || !isObject(schema)) return title;
  return ownText(document.resolve(reference, schema), 'title');
}

/** A schema's title, or the key of the definition it refers to, as a label for an alternative or a list entry. */
export function titleOrKeyOf(document: SchemaDocument, schema: unknown): string | undefined {
  const key = ownText(schema, '$ref')?.split('/').at(-1);
  return (
    titleOf(document, schema) ??
    (key === undefined ? undefined : decodeURIComponent(key.replace(/%(?![\da-f]{2})/gi, '%25')))
  );
}

/** The choices of a schema that is a list of constants; undefined for others. */
export function constantsOf(document: SchemaDocument, schema: JsonObject): readonly JsonObject[] | undefined {
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = ownList(schema, keyword).filter(isObject);
    if (!branches.length) continue;
    const constants = branches.map((branch) => flatten(document, branch, undefined, [], 0));
    if (constants.every((branch) => Object.hasOwn(branch, 'const') || ownList(branch, 'enum').length === 1))
      return constants;
  }
  return undefined;
}

function flatten(
  document: SchemaDocument,
  schema: Schema,
  data: unknown,
  origins: JsonObject[],
  depth: number,
): JsonObject {
  if (!isObject(schema) || depth > maxDepth || origins.length > maxMerged) return {};
  origins.push(schema);
  let flat: JsonObject = schema;
  const reference = ownText(schema, '$ref');
  if (reference !== undefined) {
    const siblings = omit(schema, ['$ref']);
    const target = document.resolve(reference, schema);
    flat = merge(target === undefined ? {} : flatten(document, target, data, origins, depth + 1), siblings);
  }
  return settle(document, flat, data, origins, depth);
}

/** Merges the parts that apply to this data: `allOf`, the branch of a condition, schemas that depend on keys. */
function settle(
  document: SchemaDocument,
  schema: JsonObject,
  data: unknown,
  origins: JsonObject[],
  depth: number,
): JsonObject {
  const {
    allOf,
    if: condition,
    then: yes,
    else: no,
    dependencies,
    dependentSchemas,
    dependentRequired,
    ...plain
  } = schema;
  let settled: JsonObject = plain;
  const add = (inner: unknown): void => {
    if (isSchema(inner)) settled = merge(settled, flatten(document, inner, data, origins, depth + 1));
  };
  if (Array.isArray(allOf)) allOf.forEach(add);
  if (isSchema(condition)) add(isValid(document, data ?? {}, condition) ? yes : no);
  for (const map of [dependencies, dependentSchemas, dependentRequired]) {
    if (!isObject(map) || !isObject(data)) continue;
    for (const [key, dependency] of Object.entries(map)) {
      if (!Object.hasOwn(data, key)) continue;
      add(Array.isArray(dependency) ? { required: dependency } : dependency);
    }
  }
  return settled;
}

/** Merges two schemas; the second takes precedence, except for titles. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...first, ...second };
  const properties = { ...ownObject(first, 'properties') };
  for (const [key, value] of Object.entries(ownObject(second, 'properties'))) {
    const before = own(properties, key);
    properties[key] =
      isObject(before) && isObject(value) && before !== value ? { allOf: [before, value] } : value;
  }
  if (Object.keys(properties).length) merged['properties'] = properties;
  const required = [...new Set([...ownList(first, 'required'), ...ownList(second, 'required')])];
  if (required.length) merged['required'] = required;
  for (const keyword of ['oneOf', 'anyOf']) {
    // both have alternatives: the first schema's are the choice, the second's are only validated
    if (Array.isArray(own(first, keyword))) merged[keyword] = first[keyword];
  }
  if (own(first, 'type') === 'integer') merged['type'] = 'integer';
  return merged;
}

/** Unwraps `anyOf: [{…}, {type: 'null'}]`, which is not a choice but a nullable value. */
function nullable(
  document: SchemaDocument,
  schema: JsonObject,
  { data, origins }: { readonly data: unknown; readonly origins: JsonObject[] },
): JsonObject {
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = ownList(schema, keyword).filter(isSchema);
    const [only, ...more] = branches.filter((branch) => own(branch, 'type') !== 'null');
    if (!isObject(only) || more.length > 0 || branches.length < 2) continue;
    const branch = omit(flatten(document, only, data, origins, 0), ['title', 'description']);
    const merged = merge(branch, omit(schema, [keyword]));
    const types = typesOf(merged);
    const choices = own(merged, 'enum');
    return {
      ...merged,
      ...(types.length ? { type: [...types, 'null'] } : {}),
      ...(Array.isArray(choices) && !choices.includes(null) ? { enum: [...choices, null] } : {}),
    };
  }
  return schema;
}

function omit(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

function variantsOf(document: SchemaDocument, schema: JsonObject): readonly Schema[] {
  if (constantsOf(document, schema)) return [];
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = ownList(schema, keyword).filter(isSchema).slice(0, 50);
    const showing = branches.some((branch) => isObject(branch) && !isRequirement(branch));
    if (branches.length > 1 && showing) return branches;
  }
  return [];
}

/** True for `anyOf: [{required: ['a']}, {required: ['b']}]`, which is not a choice. */
function isRequirement(branch: JsonObject): boolean {
  return Object.keys(branch).every((key) => key === 'required' || key === 'not');
}

/**
 * The index of the first alternative that is valid for the data, preferably one that defines its keys; of the first at
 * all without data.
 */
function fittingVariant(document: SchemaDocument, variants: readonly Schema[], data: unknown): number {
  if (data === undefined || isEqual(data, {})) return 0;
  const known = (variant: Schema): number => {
    const flat = flatten(document, variant, data, [], 0);
    const types = typesOf(flat);
    const sameType = !types.length || types.includes(typeOf(data));
    const properties = ownObject(flat, 'properties');
    const keys = isObject(data)
      ? Object.keys(data).filter((key) => Object.hasOwn(properties, key)).length
      : 0;
    return (isValid(document, data, variant) ? 1000 : 0) + (sameType ? 100 : 0) + keys;
  };
  const scores = variants.map(known);
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length - 1);
}
