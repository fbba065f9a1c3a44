import {
  validate as check,
  type Schema as LibrarySchema,
  type ValidationResult,
} from '@cfworker/json-schema';
import { emptyObject, PreparedDocument, type PreparedSchema } from './prepared-schema.ts';
import { readFaults, type Fault } from './read-faults.ts';
import { type Draft, type Schema, SchemaDocument } from './schema-document.ts';

/** What validation found. */
export interface Verdict {
  readonly faults: readonly Fault[];
  /** False when the schema was too costly to check; then nothing is known. */
  readonly complete: boolean;
}

/** A longer report, in characters of its keyword locations, would take too long to read. */
const longestReport = 1_000_000;

const preparedDocuments = new WeakMap<SchemaDocument, PreparedDocument>();

/**
 * Checks data against a schema, drafts 7 to 2020-12, without `eval` and within a bound of work: a schema that refers
 * to itself for ever ends with `complete: false`. What the page cannot check is left to the service.
 * @param document The schema.
 * @param data JSON data.
 * @param schema A schema within the document. Default its root.
 * @param chosen Alternatives a visitor chose, by pointer: where none fits, the faults are those of the chosen one.
 */
export function validate(
  document: SchemaDocument,
  data: unknown,
  schema: Schema = document.root,
  chosen?: ReadonlyMap<string, number>,
): Verdict {
  const run = runCheck(document, data, schema);
  if (!run) return { faults: [], complete: false };
  return { faults: readFaults(run.result.errors, { ...run, chosen }), complete: true };
}

/**
 * Whether data fits a schema, for deciding what to show. What is too costly to know counts as fitting, and after one
 * such answer nothing of the document is tried again: each field asks at each key.
 */
export function isValid(document: SchemaDocument, data: unknown, schema: Schema = document.root): boolean {
  const prepared = preparedOf(document);
  if (prepared.isTooCostly) return true;
  const run = runCheck(document, data, schema);
  prepared.isTooCostly = !run;
  return run?.result.valid ?? true;
}

/** For tests and one-off checks: validates against a schema as it came. */
export function validateSchema(schema: unknown, data: unknown, draft?: Draft): Verdict {
  return validate(new SchemaDocument(schema, draft), data);
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
    // Too many steps, nested too deep, or a key that is no Unicode: the service decides.
    return undefined;
  }
  const length = result.errors.reduce((sum, { keywordLocation }) => sum + keywordLocation.length, 0);
  return length > longestReport ? undefined : { schema: root, lookup, data: copy.value, result };
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
 * The data as JSON sends it: without undefined keys, and with null for an undefined item. Its objects have no
 * prototype, as some pages add to that of all objects.
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
