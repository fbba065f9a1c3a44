import type { JsonObject, Path } from './schema/json.ts';
import type { UiHints, Widget } from './ui-schema.ts';

/** One of several choices. */
export interface Choice {
  readonly label: string;
  readonly description: string;
  readonly value: unknown;
  readonly disabled: boolean;
}

/** What every field has. */
export interface FieldBase {
  readonly path: Path;
  /** JSON pointer of the path; unique in the form. */
  readonly pointer: string;
  readonly label: string;
  readonly description: string;
  readonly hints: UiHints;
  readonly schema: JsonObject;
  readonly value: unknown;
  readonly required: boolean;
  readonly readonly: boolean;
  /** Labels of the alternatives (`oneOf`, `anyOf`); empty if there are none. */
  readonly variants: readonly string[];
  readonly variant: number;
}

/** A field with a single value. */
export interface ValueField extends FieldBase {
  readonly kind: 'value';
  readonly widget: Widget;
  readonly choices: readonly Choice[];
}

/** A field with named child fields. */
export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly fields: readonly Field[];
  /** Additional keys that the schema allows but does not name; the visitor may rename them. */
  readonly extraKeys: readonly string[];
  readonly canAdd: boolean;
}

/** A field with a list of child fields. */
export interface ListField extends FieldBase {
  readonly kind: 'list';
  readonly entries: readonly Field[];
  /** Label of one entry. */
  readonly entryLabel: string;
  /** Number of leading entries with a fixed position (tuple). */
  readonly fixed: number;
  readonly canAdd: boolean;
  readonly canRemove: boolean;
  readonly canMove: boolean;
  /** Render as a table, one row per entry. */
  readonly asTable: boolean;
}

/** An optional part whose schema refers to itself. It is created only on request. */
export interface AbsentField extends FieldBase {
  readonly kind: 'absent';
}

/** A part that is nested too deep, or beyond the maximum number of fields. */
export interface RefusedField extends FieldBase {
  readonly kind: 'refused';
}

/** Any field of a form. */
export type Field = ValueField | GroupField | ListField | AbsentField | RefusedField;

/** Iterates over all fields, parents before children. */
export function* allFields(field: Field): Generator<Field> {
  yield field;
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.entries : [];
  for (const next of inner) yield* allFields(next);
}
