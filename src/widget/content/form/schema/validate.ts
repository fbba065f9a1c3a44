import { isObject, own, ownList, ownText, pointerOf, type JsonObject, type Path } from './json.ts';
import { checkArray, checkNumber, checkString, checkType, checkValue } from './check-value.ts';
import { checkObject } from './check-object.ts';
import { isSchema, type Draft, type Schema, SchemaDocument } from './schema-document.ts';

/** Why a value does not fit: where, by which keyword, and against which limit. */
export interface Fault {
  readonly path: Path;
  readonly keyword: string;
  /** The keyword's value in the schema, or what was expected. */
  readonly limit: unknown;
}

/** What validation says. */
export interface Verdict {
  readonly faults: readonly Fault[];
  /** False when the schema was too costly to check to the end; then only what was found counts. */
  readonly complete: boolean;
}

/** More checks than this are an attack or a mistake; a form takes some thousands. */
const mostSteps = 100_000;
const deepest = 120;

/**
 * Checks data against a schema, drafts 7 to 2020-12, without `eval` and within a bound of work: a schema that refers
 * to itself for ever, or a pattern made to be slow, ends with `complete: false`.
 * @param document The schema.
 * @param data JSON data.
 * @param schema A schema within the document. Default its root.
 * @param chosen Alternatives a visitor chose, by pointer: where none fits, the faults of the chosen one are told.
 */
export function validate(
  document: SchemaDocument,
  data: unknown,
  schema: Schema = document.root,
  chosen?: ReadonlyMap<string, number>,
): Verdict {
  const run = new Validation(document, chosen);
  const faults: Fault[] = [];
  try {
    run.check(schema, data, [], faults);
    return { faults, complete: true };
  } catch (error) {
    if (error instanceof TooCostly || error instanceof RangeError) return { faults, complete: false };
    throw error;
  }
}

/**
 * Whether data fits a schema, for deciding what to show. What is too costly to know counts as fitting, and after one
 * such answer nothing of the document is tried again: it would be asked for every field at every key.
 */
export function isValid(document: SchemaDocument, data: unknown, schema: Schema = document.root): boolean {
  if (costly.has(document)) return true;
  const { faults, complete } = validate(document, data, schema);
  if (!complete) costly.add(document);
  return faults.length === 0;
}

const costly = new WeakSet<SchemaDocument>();

/** For tests and one-off checks: validates against a schema as it came. */
export function validateSchema(schema: unknown, data: unknown, draft?: Draft): Verdict {
  return validate(new SchemaDocument(schema, draft), data);
}

class TooCostly extends Error {}

/** Which of a value's keys or indices a schema has looked at. */
export type Seen = Set<string | number>;

/** One validation: the document, and the work that is left. */
export class Validation {
  readonly document: SchemaDocument;
  readonly #chosen: ReadonlyMap<string, number> | undefined;
  #left = mostSteps;
  #depth = 0;

  constructor(document: SchemaDocument, chosen?: ReadonlyMap<string, number>) {
    this.document = document;
    this.#chosen = chosen;
  }

  /** Counts work, so that no schema can ask for more than the bound. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooCostly();
  }

  /**
   * Checks a value.
   * @param faults Gets what is wrong.
   * @param seen Gets the keys or indices that were evaluated, if the value fits.
   * @returns whether it fits
   */
  check(schema: Schema, value: unknown, path: Path, faults: Fault[], seen?: Seen): boolean {
    if (schema === true) return true;
    if (schema === false) {
      faults.push({ path, keyword: 'false', limit: false });
      return false;
    }
    this.spend(1);
    this.#depth += 1;
    if (this.#depth > deepest) throw new TooCostly();
    const before = faults.length;
    const mine: Seen = new Set();
    this.#checkAll(schema, value, path, faults, mine);
    this.#depth -= 1;
    const fits = faults.length === before;
    if (fits && seen) for (const key of mine) seen.add(key);
    return fits;
  }

  #checkAll(schema: JsonObject, value: unknown, path: Path, faults: Fault[], seen: Seen): void {
    const reference = ownText(schema, '$ref');
    if (reference !== undefined) {
      this.#checkReference(reference, schema, value, path, faults, seen);
      if (this.document.draft === '7') return;
    }
    checkType(schema, value, path, faults);
    checkValue(schema, value, path, faults);
    if (typeof value === 'string') checkString(this, schema, value, path, faults);
    if (typeof value === 'number') checkNumber(schema, value, path, faults);
    this.#checkLogic(schema, value, path, faults, seen);
    if (Array.isArray(value)) checkArray(this, schema, value, path, faults, seen);
    if (isObject(value)) checkObject(this, schema, value, path, faults, seen);
  }

  #checkReference(
    reference: string,
    schema: JsonObject,
    value: unknown,
    path: Path,
    faults: Fault[],
    seen: Seen,
  ): void {
    const target = this.document.resolve(reference, schema);
    // What lies outside the document cannot be known here; the service checks it again anyway.
    if (target !== undefined) this.check(target, value, path, faults, seen);
  }

  #checkLogic(schema: JsonObject, value: unknown, path: Path, faults: Fault[], seen: Seen): void {
    for (const inner of ownList(schema, 'allOf')) {
      if (isSchema(inner)) this.check(inner, value, path, faults, seen);
    }
    this.#checkBranches(schema, 'anyOf', value, path, faults, seen);
    this.#checkBranches(schema, 'oneOf', value, path, faults, seen);
    const not = own(schema, 'not');
    if (isSchema(not) && this.check(not, value, path, [])) faults.push({ path, keyword: 'not', limit: not });
    this.#checkCondition(schema, value, path, faults, seen);
  }

  #checkCondition(schema: JsonObject, value: unknown, path: Path, faults: Fault[], seen: Seen): void {
    const condition = own(schema, 'if');
    if (!isSchema(condition)) return;
    const branch = own(schema, this.check(condition, value, path, [], seen) ? 'then' : 'else');
    if (isSchema(branch)) this.check(branch, value, path, faults, seen);
  }

  #checkBranches(
    schema: JsonObject,
    keyword: 'anyOf' | 'oneOf',
    value: unknown,
    path: Path,
    faults: Fault[],
    seen: Seen,
  ): void {
    const branches = own(schema, keyword);
    if (!Array.isArray(branches)) return;
    const tries = branches.filter(isSchema).map((branch) => {
      const wrong: Fault[] = [];
      this.check(branch, value, path, wrong, seen);
      return wrong;
    });
    const fitting = tries.filter((wrong) => wrong.length === 0).length;
    if (keyword === 'oneOf' ? fitting === 1 : fitting > 0) return;
    faults.push({ path, keyword, limit: fitting });
    // What is wrong with the nearest branch tells a visitor more than that no branch fits.
    const chosen = tries[this.#chosen?.get(pointerOf(path)) ?? -1];
    if (fitting === 0) faults.push(...(chosen ?? nearest(tries, path)));
  }
}

/** The faults of the branch that came closest: the one that fails within the value rather than as a whole. */
function nearest(tries: readonly (readonly Fault[])[], path: Path): readonly Fault[] {
  const distance = (faults: readonly Fault[]): number =>
    faults.reduce((sum, fault) => {
      // That it could have been left empty is no help with what was written.
      if (fault.keyword === 'type' && fault.limit === 'null') return sum + 1000;
      return sum + (fault.path.length === path.length || fault.keyword === 'const' ? 100 : 1);
    }, 0);
  const [first, ...others] = tries;
  if (!first) return [];
  return others.reduce((best, faults) => (distance(faults) < distance(best) ? faults : best), first);
}
