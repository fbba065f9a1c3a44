import type { ItemContext } from '../item-context.ts';
import type { StringKey } from '../../i18n/strings.ts';
import type { EntryEditor } from './entry-editor.ts';
import type { Field } from './form-model.ts';
import type { Path } from './schema/json.ts';
import type { ValidationError } from './schema/read-errors.ts';

/** What a form provides to the templates of its fields. */
export interface FormControls {
  readonly context: ItemContext;
  t(key: StringKey, values?: Readonly<Record<string, string | number>>): string;
  /** Id of a field's control, unique in the form and without whitespace. */
  idOf(field: Field): string;
  /** The field's error message; `''` if it is valid. */
  errorOf(field: Field): string;
  /** Typed texts by pointer, used while they represent the field's value: `1.0` on the way to `1.05`. */
  readonly drafts: Map<string, string>;
  /** The current value at a path; a field has the value it was rendered with. */
  valueAt(path: Path): unknown;
  /** Renders a field, including nested fields. */
  renderField(field: Field): unknown;
  setValue(path: Path, value: unknown, error?: ValidationError): void;
  /** Delays sending until the work is done; used while a file is read. */
  waitFor(work: Promise<void>): void;
  chooseVariant(field: Field, variant: number): void;
  readonly entries: EntryEditor;
}
