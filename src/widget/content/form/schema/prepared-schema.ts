import { format as checks } from '@cfworker/json-schema';
import { isObject } from '../../../../protocol/json.ts';
import { own, ownList, ownNumber, ownObject, ownText, type JsonObject } from './json.ts';
import { patternCost, shortTextLength, withoutNeedlessEscapes } from './pattern-guard.ts';
import {
  branchKeywords,
  isSchema,
  schemaKeywords,
  type Schema,
  type SchemaDocument,
} from './schema-document.ts';

/** A schema as it is passed to the library: valid keywords only, with references as keys of `lookup`. */
export interface PreparedSchema {
  [keyword: string]: unknown;
  /** Number of steps that one check counts. */
  weight: number;
  /** True if the schema is `false`. */
  isNever?: true;
}

/** Step limit: about a second at worst; a large form takes some thousands. */
const maxSteps = 40_000;
const maxUniqueItems = 200;
const numberKeywords = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'maxContains'],
];
const textKeywords = ['minLength', 'maxLength', 'pattern', 'format'];
const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
/**
 * @assumed a time without a zone is accepted, because that is what people and agents mean; RFC 3339 requires a zone
 */
const localTime = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;
const { time: isTime } = checks;
checks['local-time'] = (text) => localTime.test(text) || isTime?.(text) === true;

/** Formats that are checked, with the library's names for them. The service checks the others. */
const formats = new Map([
  ...[
    ...['email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'date', 'date-time', 'duration'],
    ...['uuid', 'regex', 'json-pointer', 'relative-json-pointer'],
  ].map((name) => [name, name] as const),
  ['time', 'local-time'],
  // the library's own `url` takes exponential time for some texts
  ['url', 'uri'],
]);

/**
 * Converts a document's schemas to a form that the library can check without `eval` and within bounded time. What
 * cannot be checked in the page (a missing reference, a slow pattern) is removed, together with keywords that would
 * then reject valid data, such as a `not` around it. The service checks those.
 */
export class PreparedDocument {
  /** The schemas that references lead to. */
  readonly lookup: Record<string, PreparedSchema> = emptyObject();
  /** True when a check took too many steps. */
  isTooCostly = false;
  readonly #document: SchemaDocument;
  readonly #prepared = new WeakMap<JsonObject, PreparedSchema>();
  readonly #addresses = new Map<JsonObject | boolean, string>();
  /** Schemas from which something was removed, at any depth. */
  readonly #lenient = new WeakSet<PreparedSchema>();
  readonly #prototype: object;
  #pending: (readonly [PreparedSchema, Schema])[] = [];
  #parents = new Map<PreparedSchema, PreparedSchema[]>();
  #stepsLeft = 0;
  #objectWeight = 1;
  #textWeight = 1;

  constructor(document: SchemaDocument) {
    this.#document = document;
    const count = (schema: PreparedSchema): void => this.#count(schema);
    // The library reads `$recursiveRef` once per check of a schema, and no prepared schema has one, so a getter
    // counts the steps. The prototype is null, because some pages extend `Object.prototype`.
    this.#prototype = Object.create(null, {
      $recursiveRef: {
        get(this: PreparedSchema): undefined {
          count(this);
        },
      },
    }) as object;
  }

  /** Resets the step limit for data with texts and objects up to these sizes. */
  allowSteps({ longestText, mostKeys }: { readonly longestText: number; readonly mostKeys: number }): void {
    this.#stepsLeft = maxSteps;
    this.#objectWeight = 1 + mostKeys / 50;
    this.#textWeight = longestText / 20_000;
  }

  /** Prepares a schema of the document, or one made of its parts. */
  prepare(schema: Schema): PreparedSchema {
    const prepared = this.#schema(schema);
    const filled: PreparedSchema[] = [];
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
      this.#fill(...next);
      filled.push(next[0]);
    }
    for (const each of filled) this.#leaveOutOpposites(each);
    this.#parents.clear();
    return prepared;
  }

  #count(schema: PreparedSchema): void {
    const readsText = textKeywords.some((keyword) => schema[keyword] !== undefined);
    this.#stepsLeft -= schema.weight * this.#objectWeight + (readsText ? this.#textWeight : 0);
    if (this.#stepsLeft < 0) throw new RangeError('too many steps');
  }

  #schema(schema: Schema, parent?: PreparedSchema): PreparedSchema {
    let prepared = isObject(schema) ? this.#prepared.get(schema) : undefined;
    if (!prepared) {
      prepared = Object.assign(Object.create(this.#prototype) as object, { weight: 1 }) as PreparedSchema;
      if (isObject(schema)) this.#prepared.set(schema, prepared);
      this.#pending.push([prepared, schema]);
    }
    if (!parent) return prepared;
    const parents = this.#parents.get(prepared);
    if (parents) parents.push(parent);
    else this.#parents.set(prepared, [parent]);
    if (this.#lenient.has(prepared)) this.#setLenient(parent);
    return prepared;
  }

  #setLenient(schema: PreparedSchema): void {
    const open = [schema];
    for (let next = open.pop(); next; next = open.pop()) {
      if (this.#lenient.has(next)) continue;
      this.#lenient.add(next);
      open.push(...(this.#parents.get(next) ?? []));
    }
  }

  #fill(prepared: PreparedSchema, schema: Schema): void {
    if (!isObject(schema)) {
      if (schema) return;
      prepared.isNever = true;
      prepared['not'] = this.#schema(true);
      return;
    }
    const reference = ownText(schema, '$ref');
    if (reference !== undefined) {
      this.#fillReference(prepared, this.#document.resolve(reference, schema));
      if (this.#document.draft === '7') return;
    }
    this.#fillValues(prepared, schema);
    this.#fillText(prepared, schema);
    this.#fillSchemas(prepared, schema);
    this.#fillProperties(prepared, schema);
    const maps = ['properties', 'patternProperties', 'dependentSchemas'].map((keyword) =>
      own(prepared, keyword),
    );
    const entries =
      maps.flatMap((map) => Object.keys(map ?? {})).length + ownList(prepared, 'required').length;
    const values = JSON.stringify([own(schema, 'enum'), own(schema, 'const')]).length;
    prepared.weight += entries / 10 + values / 100;
  }

  #fillReference(prepared: PreparedSchema, target: Schema | undefined): void {
    if (target === undefined) return this.#setLenient(prepared);
    const address = this.#addresses.get(target) ?? `#${this.#addresses.size}`;
    this.#addresses.set(target, address);
    this.lookup[address] = this.#schema(target, prepared);
    prepared['$ref'] = address;
  }

  #fillValues(prepared: PreparedSchema, schema: JsonObject): void {
    for (const keyword of numberKeywords) prepared[keyword] = ownNumber(schema, keyword);
    // draft 4: `exclusiveMinimum: true` applies to `minimum`
    if (own(schema, 'exclusiveMinimum') === true) prepared['exclusiveMinimum'] = prepared['minimum'];
    if (own(schema, 'exclusiveMaximum') === true) prepared['exclusiveMaximum'] = prepared['maximum'];
    const step = ownNumber(schema, 'multipleOf') ?? 0;
    if (step > 0) prepared['multipleOf'] = step;
    const type = own(schema, 'type');
    if ([type].flat().every((each) => types.includes(String(each)))) prepared['type'] = type;
    const choices = own(schema, 'enum');
    if (Array.isArray(choices)) prepared['enum'] = choices;
    if (Object.hasOwn(schema, 'const')) prepared['const'] = schema['const'];
    prepared['required'] = ownList(schema, 'required').filter((key) => typeof key === 'string');
    if (isSchema(own(schema, 'contains'))) prepared['minContains'] = ownNumber(schema, 'minContains') ?? 1;
    // the library compares every item with every other
    if (own(schema, 'uniqueItems') === true)
      this.#require(prepared, { maxItems: maxUniqueItems }, { uniqueItems: true });
  }

  #fillText(prepared: PreparedSchema, schema: JsonObject): void {
    const format = ownText(schema, 'format');
    if (format !== undefined) {
      prepared['format'] = formats.get(format);
      if (!formats.has(format)) this.#setLenient(prepared);
    }
    const source = ownText(schema, 'pattern');
    if (source === undefined) return;
    const pattern = withoutNeedlessEscapes(source);
    const cost = patternCost(pattern);
    if (cost === 'any text') prepared['pattern'] = pattern;
    else if (cost === 'short text') this.#require(prepared, { maxLength: shortTextLength }, { pattern });
    else this.#setLenient(prepared);
  }

  /** Adds a requirement that is only checked for small values. */
  #require(prepared: PreparedSchema, condition: JsonObject, requirement: JsonObject): void {
    const empty = (): PreparedSchema => this.#schema(true);
    const rule = Object.assign(empty(), {
      if: Object.assign(empty(), condition),
      // a pattern for short texts may take some milliseconds
      then: Object.assign(empty(), { ...requirement, weight: 'pattern' in requirement ? 200 : 1 }),
    });
    prepared['allOf'] = [...ownList(prepared, 'allOf'), rule];
    this.#setLenient(prepared);
  }

  #fillSchemas(prepared: PreparedSchema, schema: JsonObject): void {
    for (const keyword of schemaKeywords) {
      const inner = own(schema, keyword);
      if (isSchema(inner)) prepared[keyword] = this.#schema(inner, prepared);
    }
    for (const keyword of branchKeywords) {
      const branches = ownList(schema, keyword).filter(isSchema);
      const all = [
        ...ownList(prepared, keyword),
        ...branches.map((branch) => this.#schema(branch, prepared)),
      ];
      if (all.length > 0) prepared[keyword] = all;
    }
    for (const keyword of ['items', 'prefixItems']) {
      const items = own(schema, keyword);
      if (Array.isArray(items))
        prepared[keyword] = items.map((item) => this.#schema(isSchema(item) ? item : true, prepared));
      else if (isSchema(items) && keyword === 'items') prepared[keyword] = this.#schema(items, prepared);
    }
  }

  #fillProperties(prepared: PreparedSchema, schema: JsonObject): void {
    prepared['properties'] = this.#map(prepared, Object.entries(ownObject(schema, 'properties')));
    const patterns = Object.entries(ownObject(schema, 'patternProperties')).map(
      ([pattern, inner]) => [withoutNeedlessEscapes(pattern), inner] as const,
    );
    const safe = patterns.filter(([pattern]) => patternCost(pattern) === 'any text');
    prepared['patternProperties'] = this.#map(prepared, safe);
    if (safe.length < patterns.length) {
      this.#setLenient(prepared);
      delete prepared['additionalProperties'];
    }
    // convert all three to one keyword: a list of keys is equivalent to `{required: […]}`
    const dependencies = ['dependencies', 'dependentRequired', 'dependentSchemas'].flatMap((keyword) =>
      Object.entries(ownObject(schema, keyword)),
    );
    const grouped = new Map<string, Schema[]>();
    for (const [key, value] of dependencies) {
      const dependency = Array.isArray(value) ? { required: value } : value;
      if (isSchema(dependency)) grouped.set(key, [...(grouped.get(key) ?? []), dependency]);
    }
    prepared['dependentSchemas'] = this.#map(
      prepared,
      [...grouped].map(([key, allOf]) => [key, { allOf }] as const),
    );
  }

  #map(parent: PreparedSchema, entries: readonly (readonly [string, unknown])[]): JsonObject | undefined {
    const map = emptyObject<PreparedSchema>();
    for (const [key, schema] of entries) if (isSchema(schema)) map[key] = this.#schema(schema, parent);
    return map;
  }

  /** Removes keywords that reject a value because an inner schema accepts it, if that schema accepts too much. */
  #leaveOutOpposites(prepared: PreparedSchema): void {
    const isLenient = (keyword: string): boolean =>
      [prepared[keyword]].flat().some((inner) => this.#lenient.has(inner as PreparedSchema));
    if (isLenient('not')) delete prepared['not'];
    if (isLenient('if')) delete prepared['if'];
    if (isLenient('contains')) delete prepared['maxContains'];
    if (isLenient('oneOf')) {
      const either = Object.assign(this.#schema(true), { anyOf: prepared['oneOf'] });
      prepared['allOf'] = [...ownList(prepared, 'allOf'), either];
      delete prepared['oneOf'];
    }
    if (!this.#lenient.has(prepared)) return;
    delete prepared['unevaluatedProperties'];
    delete prepared['unevaluatedItems'];
  }
}

/** An object without a prototype, so that every key is its own. */
export function emptyObject<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
