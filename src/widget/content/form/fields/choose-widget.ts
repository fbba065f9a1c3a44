import {
  isOfType,
  own,
  ownList,
  ownObject,
  ownText,
  typeOf,
  typesOf,
  type JsonObject,
} from '../schema/json.ts';
import type { UiHints, Widget } from '../ui-schema.ts';

const types = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;

/** Type of a field's value. `any`: the schema does not say. */
export type FieldType = (typeof types)[number] | 'any';

/** Type of a field, from its schema or, where that is ambiguous, from its data. */
export function typeOfField(schema: JsonObject, value: unknown, hasChoices: boolean): FieldType {
  const named = typesOf(schema).filter(isFieldType);
  // a nullable field is edited as its other type
  const fillable = named.filter((type) => type !== 'null');
  const fitting = fillable.find((type) => isOfType(value, type));
  const stated = fitting ?? fillable[0] ?? named[0];
  if (stated) return stated;
  if (hasChoices) return 'any';
  if (Object.keys(ownObject(schema, 'properties')).length) return 'object';
  if (Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems')) return 'array';
  const actual = typeOf(value);
  return actual === 'none' ? 'any' : actual;
}

/** Whether a schema allows null: such a field may be left empty even if it is required. */
export function mayBeNull(schema: JsonObject): boolean {
  if (Object.hasOwn(schema, 'const')) return schema['const'] === null;
  if (Object.hasOwn(schema, 'enum') && !ownList(schema, 'enum').includes(null)) return false;
  return typesOf(schema).includes('null');
}

/** Widgets that can edit each type. A hint for another widget is ignored. */
const widgetsByType: Readonly<Record<FieldType, readonly Widget[]>> = {
  string: [
    'text', 'textarea', 'email', 'password', 'uri', 'tel', 'color', 'date', 'time', 'date-time', 'radio', 'select',
    'combobox', 'file', 'file-download', 'data', 'bullet-list', 'hidden', 'number', 'multiselect',
  ],
  number: ['number', 'range', 'text', 'radio', 'select', 'combobox', 'data', 'hidden'],
  integer: ['number', 'range', 'text', 'radio', 'select', 'combobox', 'data', 'hidden'],
  boolean: ['checkbox', 'radio', 'select', 'data', 'hidden'],
  null: ['data', 'hidden'],
  object: ['date', 'data', 'table', 'file-download', 'hidden'],
  array: ['checkboxes', 'multiselect', 'select', 'combobox', 'file', 'file-download', 'table', 'editable-table', 'data', 'bullet-list', 'date', 'hidden'],
  any: ['text', 'textarea', 'radio', 'select', 'combobox', 'data', 'hidden'],
}; // oxfmt-ignore

/** Above this number of choices, the list can be searched. */
const maxSelectChoices = 30;
const needsChoices: readonly Widget[] = ['radio', 'select', 'combobox', 'checkboxes', 'multiselect'];
/** Types that can be written into a combobox without choices. */
const freeTypes: readonly FieldType[] = ['string', 'any'];
const widgetByFormat: Readonly<Record<string, Widget>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'uri',
  url: 'uri',
  iri: 'uri',
  date: 'date',
  time: 'time',
  'date-time': 'date-time',
  password: 'password',
  color: 'color',
  'data-url': 'file',
  binary: 'file',
};

/**
 * Chooses a field's widget: the hinted one if it fits the type, else what the schema suggests.
 * @param choiceCount number of choices of the schema
 * @param offerCount number of choices of a list's entries, or of a picker
 * @returns undefined for objects and lists that are rendered by their parts
 */
export function chooseWidget(
  type: FieldType,
  { schema, hints }: { readonly schema: JsonObject; readonly hints: UiHints },
  { choiceCount, offerCount }: { readonly choiceCount: number; readonly offerCount: number },
): Widget | undefined {
  const hinted = hints.widget;
  const canChoose =
    choiceCount + offerCount > 0 || type === 'boolean' || (hinted === 'combobox' && freeTypes.includes(type));
  const isUsable =
    hinted !== undefined &&
    widgetsByType[type].includes(hinted) &&
    (canChoose || !needsChoices.includes(hinted));
  const fitsDate = hinted !== 'date' || type === 'string' || hints.range;
  if (isUsable && fitsDate) return hinted === 'multiselect' && type === 'string' ? 'select' : hinted;
  if (type === 'object') return undefined;
  if (type === 'array') return isFileList(schema) ? 'file' : undefined;
  if (choiceCount > 0) return choiceCount > maxSelectChoices ? 'combobox' : 'select';
  if (type === 'boolean') return 'checkbox';
  if (Object.hasOwn(schema, 'const') || type === 'null') return 'data';
  if (type === 'number' || type === 'integer') return 'number';
  return widgetFromSchema(schema, hints);
}

/** Whether a list is a multiple choice. */
export function isMultipleChoice(
  choiceCount: number,
  field: { readonly schema: JsonObject; readonly hints: UiHints },
): boolean {
  const hinted = field.hints.widget;
  const isHinted =
    hinted === 'checkboxes' || hinted === 'multiselect' || hinted === 'select' || hinted === 'combobox';
  return choiceCount > 0 && (own(field.schema, 'uniqueItems') === true || isHinted);
}

function widgetFromSchema(schema: JsonObject, hints: UiHints): Widget {
  const byInput =
    hints.inputType === 'tel' || hints.inputType === 'email' || hints.inputType === 'password'
      ? hints.inputType
      : undefined;
  const format = ownText(schema, 'format') ?? '';
  if (byInput) return byInput;
  if (Object.hasOwn(widgetByFormat, format)) return widgetByFormat[format] ?? 'text';
  if (ownText(schema, 'contentEncoding') === 'base64') return 'file';
  return 'text';
}

function isFileList(schema: JsonObject): boolean {
  return ownText(own(schema, 'items'), 'format') === 'data-url';
}

function isFieldType(value: unknown): value is FieldType {
  return types.some((type) => type === value);
}
