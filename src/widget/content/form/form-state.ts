import { isObject } from '../../../protocol/json.ts';
import { fitsType, withDefaults } from './schema/defaults.ts';
import { buildForm } from './build-form.ts';
import { rangeError } from './date-range.ts';
import { assignErrors, type FieldError } from './field-errors.ts';
import { allFields, type Field } from './form-model.ts';
import {
  isEqual,
  isBounded,
  own,
  ownList,
  pathOf,
  pointerOf,
  valueAt,
  withValueAt,
  without,
  type Path,
} from './schema/json.ts';
import { SchemaDocument } from './schema/schema-document.ts';
import type { ValidationError } from './schema/read-errors.ts';
import { isValid, validate } from './schema/validate.ts';

/** The form as it was received. */
export interface FormInput {
  readonly schema: unknown;
  readonly ui: unknown;
  readonly data: unknown;
}

/** The visitor's input, as it is stored for the next page. */
export interface FormDraft {
  readonly data: unknown;
  /** Chosen alternatives, by pointer. */
  readonly variants: readonly (readonly [string, number])[];
  /** Pointers of the fields that the visitor changed. */
  readonly touched: readonly string[];
}

/** State of a form that is being filled in: data, chosen alternatives and errors. Pure; the element renders it. */
export class FormState {
  readonly document: SchemaDocument;
  readonly input: FormInput;
  /** Whether schema and data are small enough to be rendered. */
  readonly readable: boolean;
  readonly #nameVariant: (number: number) => string;
  readonly #variants = new Map<string, number>();
  /** Pointers of the fields that the visitor changed. */
  readonly #touched = new Set<string>();
  /** Errors of the controls themselves: an incomplete number, a file that is too large. */
  readonly #controlErrors = new Map<string, ValidationError>();
  /** The initial data: the given values and the schema's defaults. */
  readonly #initial: unknown;
  /** All input, including that of fields that are hidden now: they may be shown again. */
  #data: unknown;
  #shown: { readonly form: Field; readonly data: unknown } | undefined;

  /**
   * @param input schema, hints and data as received
   * @param nameVariant returns the label of an alternative without a title
   */
  constructor(input: FormInput, nameVariant: (number: number) => string) {
    this.input = input;
    this.#nameVariant = nameVariant;
    this.readable =
      isBounded(input.schema, { values: 20_000, depth: 64 }) &&
      isBounded(input.ui, { values: 20_000, depth: 64 }) &&
      isBounded(input.data, { values: 50_000, depth: 40 });
    this.document = new SchemaDocument(this.readable ? input.schema : true);
    const data = input.data === null ? undefined : input.data;
    this.#initial = this.readable ? withDefaults(this.document, data) : undefined;
    this.#data = this.#initial;
  }

  /** Whether another input is the same form, so that the visitor's input stays. */
  isFor(input: FormInput): boolean {
    const { schema, ui, data } = this.input;
    return (
      (schema === input.schema && ui === input.ui && data === input.data) ||
      (this.readable && isEqual(schema, input.schema) && isEqual(ui, input.ui) && isEqual(data, input.data))
    );
  }

  /** Renames the alternatives after a change of language. */
  renameVariants(): void {
    this.#shown = undefined;
  }

  /** The fields for the current data. */
  get form(): Field {
    return this.#current.form;
  }

  /** The data to send, without input in fields that are not part of the form any more. */
  get data(): unknown {
    return this.#current.data;
  }

  /** Masks passwords in data that is stored. */
  withoutSecrets(data: unknown): unknown {
    return [...allFields(this.form)]
      .filter((field) => field.kind === 'value' && field.widget === 'password' && Boolean(field.value))
      .reduce((kept, { path }) => withValueAt(kept, path, '••••••'), data);
  }

  /** The part of the input that may be stored: no secrets, no files, nothing that a control could not parse. */
  get draft(): FormDraft {
    const data = [...allFields(this.form)]
      .filter((field) => isPrivate(field) || this.#controlErrors.has(field.pointer))
      .reduce((kept, { path }) => withValueAt(kept, path, this.#before(path)), this.data);
    return { data, variants: [...this.#variants], touched: [...this.#touched] };
  }

  /**
   * Restores a stored draft.
   * @param draft as stored, unvalidated
   * @returns whether there was one
   */
  restoreDraft(draft: unknown): boolean {
    if (!this.readable || !isObject(draft) || !isBounded(draft, { values: 50_000, depth: 44 })) return false;
    for (const entry of ownList(draft, 'variants')) {
      const [pointer, variant]: readonly unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof pointer === 'string' && Number.isInteger(variant))
        this.#variants.set(pointer, Number(variant));
    }
    for (const pointer of ownList(draft, 'touched')) this.#touched.add(String(pointer));
    this.#change(own(draft, 'data'));
    return true;
  }

  /**
   * Takes over what the visitor wrote in a former version of this form, where it still has the field.
   * @returns whether that was anything
   */
  takeOver(former: FormState): boolean {
    for (const [pointer, variant] of former.#variants) this.#variants.set(pointer, variant);
    for (const pointer of former.#touched) {
      const path = pathOf(pointer, former.data);
      if (path && this.#fieldAt(pointer)) this.setValue(path, valueAt(former.data, path));
    }
    return this.#touched.size > 0;
  }

  /** Sets the value at a path; `undefined` removes it. The alternatives around it stay, also if it fits another. */
  setValue(path: Path, value: unknown, controlFault?: ValidationError): void {
    const pointer = pointerOf(path);
    for (const field of allFields(this.form)) {
      if (field.variants.length && `${pointer}/`.startsWith(`${field.pointer}/`))
        this.#variants.set(field.pointer, field.variant);
    }
    if (controlFault) this.#controlErrors.set(pointer, controlFault);
    else this.#controlErrors.delete(pointer);
    this.#touched.add(pointer);
    // keep an emptied additional entry, so that it can be filled in again
    const kept = value === undefined && this.#isExtra(path) ? '' : value;
    this.#change(withValueAt(this.#data, path, kept));
  }

  /** Removes an additional key. */
  removeKey(path: Path): void {
    this.#controlErrors.delete(pointerOf(path));
    this.#change(withValueAt(this.#data, path, undefined));
  }

  /** Chooses an alternative. Removes keys that it does not have, and a value of another type. */
  chooseVariant(field: Field, variant: number): void {
    const before = new Set(field.kind === 'group' ? field.fields.map(({ path }) => String(path.at(-1))) : []);
    this.#variants.set(field.pointer, variant);
    this.#shown = undefined;
    const after = this.#fieldAt(field.pointer);
    if (after?.kind === 'group' && isObject(field.value)) {
      const known = new Set(after.fields.map(({ path }) => String(path.at(-1))));
      const gone = [...before].filter((key) => !known.has(key));
      this.#change(withValueAt(this.#data, field.path, gone.reduce(without, field.value)));
      for (const key of gone) this.#untouch([...field.path, key]);
    } else if (after && (after.kind !== field.kind || !fitsType(after.schema, field.value))) {
      this.#change(withValueAt(this.#data, field.path, undefined));
      this.#untouch(field.path);
    }
  }

  /** Forgets that a field was changed: it has its default when it is shown again. */
  #untouch(path: Path): void {
    const within = `${pointerOf(path)}/`;
    for (const pointer of this.#touched) if (`${pointer}/`.startsWith(within)) this.#touched.delete(pointer);
  }

  /** Renames an additional key and keeps its place. Does nothing if the name is taken, also by a field without a value. */
  renameKey(group: Path, from: string, to: string): void {
    const object = valueAt(this.#data, group);
    if (!isObject(object) || to === '' || Object.hasOwn(object, to)) return;
    if (this.#fieldAt(pointerOf([...group, to]))) return;
    const entries = Object.entries(object).map(([key, value]) => [key === from ? to : key, value]);
    this.#change(withValueAt(this.#data, group, Object.fromEntries(entries)));
  }

  /** Replaces a list after entries were added, removed or moved. Errors of the controls inside are reset. */
  setList(path: Path, entries: readonly unknown[]): void {
    const inside = `${pointerOf(path)}/`;
    for (const pointer of this.#controlErrors.keys()) {
      if (pointer.startsWith(inside)) this.#controlErrors.delete(pointer);
    }
    for (const pointer of this.#variants.keys()) {
      if (pointer.startsWith(inside)) this.#variants.delete(pointer);
    }
    this.setValue(path, entries);
  }

  /** Errors that the visitor can correct, by field, parents first. */
  errors(): readonly FieldError[] {
    const fields = [...allFields(this.form)];
    const chosen = new Map(
      fields.filter(({ variants }) => variants.length).map((field) => [field.pointer, field.variant]),
    );
    const { errors } = validate(this.document, this.data, this.document.root, chosen);
    const ofRanges = fields.flatMap((field) => rangeError(field) ?? []);
    return assignErrors([...this.#controlErrors.values(), ...ofRanges, ...errors], fields);
  }

  get #current(): { readonly form: Field; readonly data: unknown } {
    this.#shown ??= this.#settle();
    return this.#shown;
  }

  /**
   * Fills in the defaults of what a condition or alternative added, and removes data without a field. A removal may
   * affect other fields, so this repeats until nothing changes.
   */
  #settle(): { readonly form: Field; readonly data: unknown } {
    const input = { variants: this.#variants, touched: this.#touched };
    let given = this.#data;
    for (let round = 0; ; round += 1) {
      const data = withDefaults(this.document, given, input);
      const form = this.#build(data);
      const pruned = this.#prune(form, given);
      if (pruned === given || round === 8) return { form, data: this.#withoutIdleGroups(form, data) };
      given = pruned;
    }
  }

  /**
   * Removes optional groups without the visitor's input from the data: groups that were emptied again, and groups
   * whose defaults alone are incomplete. They stay visible. So do emptied entries at the end of a tuple.
   */
  #withoutIdleGroups(form: Field, data: unknown): unknown {
    let kept = data;
    for (const field of [...allFields(form)].reverse()) {
      if (field.kind === 'list' && field.fixed > 0) kept = withoutEmptyEnd(kept, field.path);
      if (field.kind !== 'group' || field.required || field.path.length === 0) continue;
      const value = valueAt(kept, field.path);
      if (!isObject(value) || isObject(valueAt(this.input.data, field.path))) continue;
      const before = valueAt(this.#initial, field.path);
      const isEmptied = Object.keys(value).length === 0 && !isObject(before);
      const isIncomplete = isEqual(value, before) && !isValid(this.document, value, field.schema);
      if (isEmptied || isIncomplete)
        kept = withValueAt(kept, field.path, isObject(before) ? undefined : before);
    }
    return kept;
  }

  #build(data: unknown): Field {
    return buildForm({
      document: this.document,
      ui: this.input.ui,
      data,
      variants: this.#variants,
      nameVariant: this.#nameVariant,
    });
  }

  #prune(form: Field, data: unknown): unknown {
    const shown = new Set([...allFields(form)].map(({ pointer }) => pointer));
    // shown again, a control is empty
    for (const pointer of this.#controlErrors.keys())
      if (!shown.has(pointer)) this.#controlErrors.delete(pointer);
    let pruned = data;
    for (const pointer of this.#touched) {
      const path = shown.has(pointer) ? undefined : pathOf(pointer, pruned);
      if (!path || isEqual(valueAt(pruned, path), valueAt(this.input.data, path))) continue;
      pruned = withValueAt(pruned, path, undefined);
    }
    return pruned;
  }

  #change(data: unknown): void {
    this.#data = data;
    this.#shown = undefined;
  }

  /** The initial value of a field; undefined inside lists, because their entries move. */
  #before(path: Path): unknown {
    return path.some((key) => typeof key === 'number') ? '' : valueAt(this.#initial, path);
  }

  #isExtra(path: Path): boolean {
    const group = this.#fieldAt(pointerOf(path.slice(0, -1)));
    return group?.kind === 'group' && group.extraKeys.includes(String(path.at(-1)));
  }

  #fieldAt(pointer: string): Field | undefined {
    return [...allFields(this.form)].find((field) => field.pointer === pointer);
  }
}

/** Removes entries without a value from the end of a list, and a list of no others. */
function withoutEmptyEnd(data: unknown, path: Path): unknown {
  const list = valueAt(data, path);
  const last = Array.isArray(list) ? list.findLastIndex((entry) => entry !== undefined) : 0;
  return Array.isArray(list) && last < list.length - 1
    ? withValueAt(data, path, last < 0 ? undefined : list.slice(0, last + 1))
    : data;
}

/** Fields that must not be stored on disk: passwords, files, card numbers, one-time codes. */
function isPrivate(field: Field): boolean {
  if (field.kind !== 'value') return false;
  const isSecret = /\b(cc-|one-time-code|(new|current)-password)/.test(field.hints.autocomplete ?? '');
  return isSecret || field.widget === 'password' || field.widget === 'file';
}
