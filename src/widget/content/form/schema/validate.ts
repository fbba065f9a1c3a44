import {
  validate as check,
  type Schema as LibrarySchema,
  type ValidationResult,
} from '@cfworker/json-schema';
import { emptyObject, PreparedDocument, type PreparedSchema } from './prepared-schema.ts';
import { readErrors, type ValidationError } from './read-errors.ts';
import type { Schema, SchemaDocument } from './schema-document.ts';

/** Result of a validation. */
export interface ValidationOutcome {
  readonly errors: readonly ValidationError[];
  /** False when the schema was too expensive to check; the result is unknown then. */
  readonly complete: boolean;
}

/** Maximum length of the report, in characters of its keyword locations; longer ones take too long to read. */
const maxReportLength = 1_000_000;

const preparedDocuments = new WeakMap<SchemaDocument, PreparedDocument>();

/**
 * Validates data against a schema (drafts 7 to 2020-12) without `eval` and within bounded time. A schema that
 * refers to itself without end gives `complete: false`. What the page cannot check is left to the service.
 * @param document the schema
 * @param data JSON data
 * @param schema a schema within the document. Default: its root.
 * @param chosen alternatives that the visitor chose, by pointer; if none is valid, the errors are those of the
 *   chosen one
 */
export function validate(
  document: SchemaDocument,
  data: unknown,
  schema: Schema = document.root,
  chosen?: ReadonlyMap<string, number>,
): ValidationOutcome {
  const run = runCheck(document, data, schema);
  if (!run) return { errors: [], complete: false };
  return { errors: readErrors(run.result.errors, { ...run, chosen }), complete: true };
}

/**
 * Whether data matches a schema, to decide what to show. If a check is too expensive, this one and all later checks of
 * the document count as matches: otherwise every keystroke would repeat it for every field.
 */
export function isValid(document: SchemaDocument, data: unknown, schema: Schema = document.root): boolean {
  const prepared = preparedOf(document);
  if (prepared.isTooCostly) return true;
  const run = runCheck(document, data, schema);
  prepared.isTooCostly = !run;
  return run?.result.valid ?? true;
}

interface Run {
  readonly schema: PreparedSchema;
  readonly lookup: Readonly<Record<string, PreparedSchema>>;
  readonly data: unknown;
  readonly result: ValidationResult;
}

function runCheck(document: SchemaDocument, data: unknown, schema: Schema): Run | undefined {
  const prepared = preparedOf(document);
  const { lookup } = prepared;
  const root = prepared.prepare(schema);
  const copy = plainCopy(data);
  prepared.allowSteps(copy);
  let result: ValidationResult;
  try {
    result = check(copy.value, root as LibrarySchema, document.draft, lookup, false);
  } catch {
    // too many steps, nested too deep, or a key that is not valid Unicode: the service decides
    return undefined;
  }
  const length = result.errors.reduce((sum, { keywordLocation }) => sum + keywordLocation.length, 0);
  return length > maxReportLength ? undefined : { schema: root, lookup, data: copy.value, result };
}

function preparedOf(document: SchemaDocument): PreparedDocument {
  let prepared = preparedDocuments.get(document);
  if (!prepared) {
    prepared = new PreparedDocument(document);
    preparedDocuments.set(document, prepared);
  }
  return prepared;
}

/**
 * Copies data as JSON sends it: without undefined keys, and with null for undefined items. The objects have no
 * prototype, because some pages extend `Object.prototype`.
 */
function plainCopy(data: unknown): {
  readonly value: unknown;
  readonly longestText: number;
  readonly mostKeys: number;
} {
  let longestText = 0;
  let mostKeys = 0;
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') longestText = Math.max(longestText, value.length);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value ?? null;
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    mostKeys = Math.max(mostKeys, entries.length);
    const object = emptyObject<unknown>();
    for (const [key, inner] of entries) object[key] = copy(inner);
    return object;
  };
  const value = copy(data);
  return { value, longestText, mostKeys };
}
