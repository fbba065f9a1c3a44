import { isObject } from '../../../protocol/json.ts';
import { own, ownNumber, ownObject, ownText, type JsonObject } from './schema/json.ts';

/** The hints of `ui_schema` for one field, in the react-jsonschema-form dialect. */
export interface UiHints {
  /** The requested widget, under our name; undefined leaves the choice to the schema. */
  readonly widget: Widget | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly help: string | undefined;
  readonly placeholder: string | undefined;
  readonly order: readonly string[] | undefined;
  readonly enumNames: readonly unknown[] | undefined;
  readonly enumDisabled: readonly unknown[];
  readonly emptyValue: unknown;
  readonly autofocus: boolean;
  readonly autocomplete: string | undefined;
  readonly readonly: boolean;
  readonly disabled: boolean;
  /** `false` hides the label visually, but not from assistive technology. */
  readonly label: boolean;
  readonly inline: boolean;
  readonly inputType: string | undefined;
  readonly rows: number | undefined;
  readonly accept: string | undefined;
  readonly addable: boolean;
  readonly orderable: boolean;
  readonly removable: boolean;
  /** True for a date widget with a start and an end. */
  readonly range: boolean;
  /** All of `ui:options`. */
  readonly options: JsonObject;
}

/** Whether a widget shows its value and takes no input. */
export function isDisplayOnly(widget: Widget): boolean {
  return ['data', 'table', 'bullet-list', 'file-download'].includes(widget);
}

/** Widget names seen on the wire and the standard names, in lower case without `Widget`. @source WIRE, "Forms" */
const widgets = {
  text: 'text',
  textarea: 'textarea',
  email: 'email',
  password: 'password',
  uri: 'uri',
  url: 'uri',
  tel: 'tel',
  phone: 'tel',
  color: 'color',
  number: 'number',
  updown: 'number',
  range: 'range',
  slider: 'range',
  date: 'date',
  'alt-date': 'date',
  time: 'time',
  'date-time': 'date-time',
  datetime: 'date-time',
  'alt-datetime': 'date-time',
  checkbox: 'checkbox',
  radio: 'radio',
  select: 'select',
  dropdown: 'select',
  combobox: 'combobox',
  userpicker: 'combobox',
  checkboxes: 'checkboxes',
  multiselectdropdown: 'multiselect',
  multiselect: 'multiselect',
  file: 'file',
  files: 'file',
  fileupload: 'file',
  filedownload: 'file-download',
  table: 'table',
  editabletable: 'editable-table',
  data: 'data',
  bulletlist: 'bullet-list',
  hidden: 'hidden',
} as const;

/** Every widget that a field can have. */
export type Widget = (typeof widgets)[keyof typeof widgets];

/** Reads the hints of one field; ignores values of a wrong type. */
export function readHints(ui: unknown): UiHints {
  const options = ownObject(ui, 'ui:options');
  const hint = (name: string): unknown => own(ui, `ui:${name}`) ?? own(options, name);
  const text = (name: string): string | undefined => {
    const value = hint(name);
    return typeof value === 'string' ? value.slice(0, 4000) : undefined;
  };
  const list = (name: string): readonly unknown[] | undefined => {
    const value = hint(name);
    return Array.isArray(value) ? value : undefined;
  };
  return {
    widget: widgetNamed(text('widget')),
    title: text('title'),
    description: text('description'),
    help: text('help'),
    placeholder: text('placeholder'),
    order: list('order')?.filter((key) => typeof key === 'string'),
    enumNames: list('enumNames'),
    enumDisabled: list('enumDisabled') ?? [],
    emptyValue: hint('emptyValue'),
    autofocus: hint('autofocus') === true,
    autocomplete: text('autocomplete'),
    readonly: hint('readonly') === true,
    disabled: hint('disabled') === true,
    label: hint('label') !== false,
    inline: hint('inline') === true,
    inputType: text('inputType'),
    rows: ownNumber(options, 'rows'),
    accept: text('accept'),
    addable: hint('addable') !== false,
    orderable: hint('orderable') !== false,
    removable: hint('removable') !== false,
    range: own(options, 'range') === true || isObject(own(options, 'range')),
    options,
  };
}

/**
 * Returns the `ui_schema` if it uses our dialect. Others (layouts with `elements`) are ignored: their keys are not
 * names of properties.
 */
export function rootUi(ui: unknown): unknown {
  const isLayout =
    ownText(ui, 'type') !== undefined &&
    (Array.isArray(own(ui, 'elements')) || own(ui, 'scope') !== undefined);
  return isLayout ? {} : ui;
}

/** The buttons below a form. */
export interface FormButtons {
  readonly submit: string | undefined;
  readonly showSubmit: boolean;
  readonly cancel: string | undefined;
  readonly showCancel: boolean;
}

/** Reads `ui:submitButtonOptions` and `ui:cancelButtonOptions`. */
export function readButtons(ui: unknown): FormButtons {
  const read = (name: string): JsonObject => {
    const direct = own(ui, `ui:${name}`);
    return isObject(direct) ? direct : ownObject(own(ui, 'ui:options'), name);
  };
  const submit = read('submitButtonOptions');
  const cancel = read('cancelButtonOptions');
  return {
    submit: ownText(submit, 'submitText')?.slice(0, 200) || undefined,
    showSubmit: own(submit, 'norender') !== true,
    cancel: ownText(cancel, 'cancelText')?.slice(0, 200) || undefined,
    showCancel:
      own(cancel, 'showCancel') === true ||
      (isObject(own(ui, 'ui:cancelButtonOptions')) && own(cancel, 'showCancel') !== false),
  };
}

function widgetNamed(name: string | undefined): Widget | undefined {
  const key = name?.toLowerCase().replace(/widget$/, '') ?? '';
  const byName: Readonly<Record<string, Widget>> = widgets;
  return Object.hasOwn(byName, key) ? byName[key] : undefined;
}
