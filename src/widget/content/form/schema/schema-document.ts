import { isObject } from '../../../../protocol/json.ts';
import { keysOf, own, ownList, ownObject, ownText, type JsonObject } from './json.ts';

/** A schema, or `true`/`false`. */
export type Schema = JsonObject | boolean;

/** Base URI of a document without an `$id`. */
const defaultBase = 'schema://document/';

/** Keywords whose value is a list of schemas. */
export const branchKeywords = ['allOf', 'anyOf', 'oneOf'];
/** Keywords whose value is a schema. `items` may also be a list. */
export const schemaKeywords = [
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'],
  ...['unevaluatedProperties', 'additionalItems', 'unevaluatedItems'],
];
const schemaLists = [...branchKeywords, 'prefixItems', 'items'];
const schemaMaps = [
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
];

/** The version of JSON Schema: before 2019, siblings of `$ref` are ignored. */
type Draft = '7' | '2020-12';

/**
 * A schema with an index of everything that can be referred to. References are resolved inside the document only;
 * nothing is fetched.
 */
export class SchemaDocument {
  readonly root: Schema;
  readonly draft: Draft;
  readonly #byAddress = new Map<string, Schema>();
  readonly #bases = new Map<JsonObject, string>();

  /** @param root the schema as received */
  constructor(root: unknown) {
    this.root = isSchema(root) ? root : true;
    this.draft = draftOf(this.root);
    this.#byAddress.set(defaultBase, this.root);
    this.#index(this.root, defaultBase);
  }

  /** Resolves a reference; undefined if it leads nowhere or out of the document. */
  resolve(reference: string, from: JsonObject): Schema | undefined {
    const address = parse(reference, this.#bases.get(from) ?? defaultBase);
    if (!address) return undefined;
    const direct = this.#byAddress.get(address.href);
    if (direct !== undefined) return direct;
    const pointer = address.hash.slice(1);
    address.hash = '';
    const document = this.#byAddress.get(address.href);
    if (document === undefined) return undefined;
    return pointer === '' ? document : this.#follow(document, pointer);
  }

  #follow(document: Schema, pointer: string): Schema | undefined {
    if (!pointer.startsWith('/')) return undefined;
    let found: unknown = document;
    for (const key of keysOf(decoded(pointer))) {
      const base = isObject(found) ? this.#bases.get(found) : undefined;
      found = Array.isArray(found) ? (/^\d+$/.test(key) ? found[Number(key)] : undefined) : own(found, key);
      // schemas under unknown keywords are not indexed; they have the base URI of their parent
      if (isObject(found) && base !== undefined && !this.#bases.has(found)) this.#bases.set(found, base);
    }
    return isSchema(found) ? found : undefined;
  }

  #index(schema: unknown, outerBase: string): void {
    if (!isObject(schema) || this.#bases.has(schema)) return;
    const base = this.#baseOf(schema, outerBase);
    this.#bases.set(schema, base);
    const anchor = ownText(schema, '$anchor');
    if (anchor !== undefined) this.#name(`#${anchor}`, base, schema);
    const inner = [
      ...schemaLists.flatMap((key) => ownList(schema, key)),
      ...schemaMaps.flatMap((key) => Object.values(ownObject(schema, key))),
      ...[...schemaKeywords, 'items'].map((key) => own(schema, key)),
    ];
    for (const each of inner) this.#index(each, base);
  }

  #baseOf(schema: JsonObject, outerBase: string): string {
    const id = ownText(schema, '$id');
    if (id === undefined || (this.draft === '7' && ownText(schema, '$ref') !== undefined)) return outerBase;
    const address = parse(id, outerBase);
    if (!address) return outerBase;
    if (id.startsWith('#')) {
      this.#name(id, outerBase, schema);
      return outerBase;
    }
    address.hash = '';
    if (!this.#byAddress.has(address.href)) this.#byAddress.set(address.href, schema);
    return address.href;
  }

  #name(fragment: string, base: string, schema: JsonObject): void {
    const address = parse(fragment, base)?.href;
    if (address !== undefined && !this.#byAddress.has(address)) this.#byAddress.set(address, schema);
  }
}

/** Whether a value can be a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

/** The draft that `$schema` names, else 2020-12, which also suits older schemas. */
function draftOf(root: Schema): Draft {
  return /draft-0[3-7]/.test(ownText(root, '$schema') ?? '') ? '7' : '2020-12';
}

function parse(reference: string, base: string): URL | undefined {
  try {
    return new URL(reference, base);
  } catch {
    return undefined;
  }
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
