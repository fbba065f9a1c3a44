import type { ItemContext } from '../item-context.ts';
import type { StringKey } from '../../i18n/strings.ts';
import type { Field, GroupField, ListField } from './form-model.ts';
import type { Path } from './schema/json.ts';
import type { Fault } from './schema/read-faults.ts';

/** What the templates of fields ask of the form they lie in. */
export interface FormControls {
  readonly context: ItemContext;
  t(key: StringKey, values?: Readonly<Record<string, string | number>>): string;
  /** An id for a field's control, unique in the form; never with white space. */
  idOf(field: Field): string;
  /** What is wrong with the field, in the visitor's words; `''` when nothing is. */
  faultOf(field: Field): string;
  /** How a value was written, while it still means the field's value: `1.0` on the way to `1.05`. */
  readonly drafts: Map<string, string>;
  /** What a place holds now; a field has what it held when it was drawn. */
  valueAt(path: Path): unknown;
  setValue(path: Path, value: unknown, fault?: Fault): void;
  /** What is sent waits for this: a file is read into the form. */
  waitFor(work: Promise<void>): void;
  chooseVariant(field: Field, variant: number): void;
  renameKey(group: Path, from: string, to: string): void;
  removeKey(group: GroupField, key: string): void;
  addKey(group: GroupField): void;
  addEntry(list: ListField): void;
  removeEntry(list: ListField, index: number): void;
  moveEntry(list: ListField, from: number, to: number): void;
  /** Fills in an optional part that was left out. */
  begin(field: Field): void;
}

/** Draws a field with everything in it. */
export type FieldRenderer = (field: Field, controls: FormControls) => unknown;
