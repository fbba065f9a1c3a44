import { isObject } from '../../../protocol/json.ts';
import { formatKey } from '../format-value.ts';
import { chooseWidget, isMultipleChoice, mayBeNull, typeOfField } from './fields/choose-widget.ts';
import { pickerChoices } from './fields/picker-choices.ts';
import { formatConstant } from './format-constant.ts';
import type { Choice, Field, FieldBase, GroupField, ListField } from './form-model.ts';
import {
  constantsOf,
  effectiveSchema,
  titleOf,
  titleOrKeyOf,
  type EffectiveSchema,
} from './schema/effective-schema.ts';
import { entrySchemas } from './schema/entry-schemas.ts';
import {
  isEqual,
  own,
  ownList,
  ownObject,
  ownText,
  pointerOf,
  type JsonObject,
  type Path,
} from './schema/json.ts';
import { isSchema, type SchemaDocument } from './schema/schema-document.ts';
import { readHints, rootUi, type UiHints } from './ui-schema.ts';

/** Input of `buildForm`. */
export interface FormSource {
  readonly document: SchemaDocument;
  readonly ui: unknown;
  readonly data: unknown;
  /** Alternatives that the visitor chose, by pointer. */
  readonly variants: ReadonlyMap<string, number>;
  /** Returns the label of a numbered alternative. */
  readonly nameVariant: (number: number) => string;
}

const maxFields = 1200;
const maxDepth = 16;
const maxEntries = 200;

/** Builds the fields of a form from schema, hints and data. Pure; called again after each change. */
export function buildForm(source: FormSource): Field {
  return new Builder(source).build({
    schema: source.document.root,
    ui: rootUi(source.ui),
    value: source.data,
    path: [],
    name: '',
    required: true,
    readonly: false,
    ancestors: [],
  });
}

/** A part of the schema with its data and hints, from which one field is built. */
interface SchemaNode {
  readonly schema: unknown;
  readonly ui: unknown;
  readonly value: unknown;
  readonly path: Path;
  readonly name: string;
  readonly required: boolean;
  readonly readonly: boolean;
  /** Schemas that contain this one. */
  readonly ancestors: readonly JsonObject[];
}

class Builder {
  readonly #source: FormSource;
  #left = maxFields;

  constructor(source: FormSource) {
    this.#source = source;
  }

  build(node: SchemaNode): Field {
    this.#left -= 1;
    const { document } = this.#source;
    const pointer = pointerOf(node.path);
    const effective = effectiveSchema(document, node.schema, node.value, this.#source.variants.get(pointer));
    const base = this.#base(node, pointer, effective);
    if (this.#left < 0 || node.path.length > maxDepth) return { ...base, kind: 'refused' };
    if (isWithinItself(node, effective)) return { ...base, kind: 'absent' };
    const constants = constantsOf(document, effective.schema);
    const choices = choicesOf(constants, effective.schema, base.hints);
    const type = typeOfField(effective.schema, node.value, choices.length > 0);
    const inner = {
      ...node,
      ancestors: [...node.ancestors, ...effective.origins],
      readonly: base.readonly,
    };
    const itemChoices = type === 'array' ? this.#itemChoices(base) : [];
    const widget = chooseWidget(type, base, {
      choiceCount: choices.length,
      offerCount: itemChoices.length || pickerChoices(base.hints).length,
    });
    if (type === 'object' && widget === undefined) return this.#group(inner, base);
    if (isMultipleChoice(itemChoices.length, base)) {
      return { ...base, kind: 'value', widget: widget ?? 'checkboxes', choices: itemChoices };
    }
    if (type === 'array' && (widget === undefined || widget === 'editable-table')) {
      return this.#list(inner, base, widget === 'editable-table');
    }
    return { ...base, kind: 'value', widget: widget ?? 'text', choices };
  }

  #base(node: SchemaNode, pointer: string, effective: EffectiveSchema): FieldBase {
    const { schema } = effective;
    const hints = readHints(node.ui);
    const title = hints.title ?? ownText(schema, 'title') ?? titleOf(this.#source.document, node.schema);
    const readonly = node.readonly || hints.readonly || hints.disabled || own(schema, 'readOnly') === true;
    return {
      path: node.path,
      pointer,
      label: (title ?? formatKey(node.name)).slice(0, 400),
      description: (hints.description ?? ownText(schema, 'description') ?? '').slice(0, 4000),
      hints,
      schema,
      value: node.value,
      required: node.required && !mayBeNull(schema),
      readonly,
      variants: effective.variants.map((variant, index) => this.#variantName(variant, index)),
      variant: effective.variant,
    };
  }

  #variantName(variant: unknown, index: number): string {
    const title = titleOrKeyOf(this.#source.document, variant);
    return title ? readableIfKey(title) : this.#source.nameVariant(index + 1);
  }

  #group(node: SchemaNode, base: FieldBase): GroupField {
    const properties = ownObject(base.schema, 'properties');
    const required = new Set(ownList(base.schema, 'required'));
    const data = isObject(node.value) ? node.value : {};
    const named = ordered(Object.keys(properties), base.hints.order).filter(
      (key) => isSchema(properties[key]) && properties[key] !== false,
    );
    const others = own(base.schema, 'additionalProperties');
    const extraKeys = Object.keys(data).filter((key) => !Object.hasOwn(properties, key));
    const allowsOthers = isObject(others) || (others === true && named.length === 0);
    const shownExtras = allowsOthers ? extraKeys.slice(0, maxEntries) : [];
    const field = (key: string, schema: unknown, ui: unknown): Field =>
      this.build({
        ...node,
        schema,
        ui,
        value: own(data, key),
        path: [...node.path, key],
        name: key,
        required: required.has(key),
      });
    return {
      ...base,
      kind: 'group',
      fields: [
        ...named.map((key) => field(key, properties[key], own(node.ui, key))),
        ...shownExtras.map((key) =>
          field(key, titledByKey(key, others), own(node.ui, 'additionalProperties')),
        ),
      ],
      extraKeys: shownExtras,
      canAdd: allowsOthers && !base.readonly && base.hints.addable,
    };
  }

  #list(node: SchemaNode, base: FieldBase, asTable: boolean): ListField {
    const data = Array.isArray(node.value) ? node.value.slice(0, maxEntries) : [];
    const { fixed, others } = entrySchemas(base.schema);
    const count = Math.max(data.length, fixed.length);
    const entries = [...Array(count).keys()].map((index) =>
      this.build({
        ...node,
        schema: fixed[index] ?? others ?? true,
        ui: entryUi(node.ui, index, fixed.length),
        value: data[index],
        path: [...node.path, index],
        name: '',
        required: true,
      }),
    );
    const maxItems = own(base.schema, 'maxItems');
    const open = !base.readonly && others !== undefined;
    return {
      ...base,
      kind: 'list',
      entries,
      entryLabel: this.#entryLabel(base, others),
      fixed: fixed.length,
      canAdd:
        open &&
        base.hints.addable &&
        !(typeof maxItems === 'number' && count >= maxItems) &&
        count < maxEntries,
      canRemove: open && base.hints.removable,
      canMove: open && base.hints.orderable,
      asTable,
    };
  }

  #entryLabel(base: FieldBase, schema: unknown): string {
    const title = titleOrKeyOf(this.#source.document, schema);
    return title ? readableIfKey(title) : base.label;
  }

  #itemChoices(base: FieldBase): readonly Choice[] {
    const items = own(base.schema, 'items');
    if (!isObject(items)) return [];
    const { schema } = effectiveSchema(this.#source.document, items, undefined);
    return choicesOf(constantsOf(this.#source.document, schema), schema, base.hints);
  }
}

/** The hints of a list's entry: those of its position in a tuple, or those of all other entries. */
function entryUi(listUi: unknown, index: number, fixedCount: number): unknown {
  const ui = own(listUi, 'items');
  if (index >= fixedCount) return fixedCount ? own(listUi, 'additionalItems') : ui;
  return Array.isArray(ui) ? ui[index] : ui;
}

/** Whether a part without data has the schema of one of its ancestors, and would be built without end. */
function isWithinItself(node: SchemaNode, effective: EffectiveSchema): boolean {
  return node.value == null && effective.origins.some((origin) => node.ancestors.includes(origin));
}

function choicesOf(
  constants: readonly JsonObject[] | undefined,
  schema: JsonObject,
  hints: UiHints,
): readonly Choice[] {
  const isDisabled = (value: unknown): boolean => hints.enumDisabled.some((other) => isEqual(other, value));
  if (constants) {
    return constants.map((constant, index) => {
      const value = Object.hasOwn(constant, 'const') ? constant['const'] : ownList(constant, 'enum')[0];
      const label = hints.enumNames?.[index] ?? ownText(constant, 'title') ?? value;
      return {
        label: formatConstant(label),
        description: ownText(constant, 'description') ?? '',
        value,
        disabled: isDisabled(value),
      };
    });
  }
  const names = hints.enumNames ?? ownList(schema, 'enumNames');
  return ownList(schema, 'enum').map((value, index) => ({
    label: formatConstant(names[index] ?? value),
    description: '',
    value,
    disabled: isDisabled(value),
  }));
}

/** Applies `ui:order`, where `*` stands for the rest. Unlisted keys come last; unknown keys are ignored. */
function ordered(keys: readonly string[], order: readonly string[] | undefined): readonly string[] {
  if (!order) return keys;
  const known = order.filter((key) => key === '*' || keys.includes(key));
  const rest = keys.filter((key) => !known.includes(key));
  const full = known.includes('*') ? known : [...known, '*'];
  return [...new Set(full.flatMap((key) => (key === '*' ? rest : [key])))];
}

/** An additional key is labelled with its own name, not with the title of the common schema. */
function titledByKey(key: string, schema: unknown): unknown {
  return isObject(schema) && typeof schema['$ref'] !== 'string' ? { ...schema, title: key } : { title: key };
}

function readableIfKey(title: string): string {
  return /^[a-z][\w-]*$/.test(title) ? formatKey(title) : title;
}
