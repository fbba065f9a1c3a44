import { isObject, own } from '../protocol/json.ts';
import { asObject, listOf, type Fields } from './read-values.ts';

/** Deeper data is left out when passwords are masked, because a password there would not be found. */
const maxMaskedDepth = 40;
/** Maximum length of a chain of references; a longer one is taken for a circle. */
const maxReferences = 20;
/** Written instead of a password. */
const mask = '••••••';

/** A form's data with every password masked, whether `json_schema` or `ui_schema` says that it is one. */
export function withoutPasswords({ json_schema, ui_schema }: Fields, data: unknown): unknown {
  const root = asObject(json_schema);
  return masked(data, { root, schema: root, ui: asObject(ui_schema) });
}

interface Place {
  /** The complete schema, to resolve references. */
  readonly root: Fields;
  readonly schema: unknown;
  readonly ui: Fields;
}

function masked(data: unknown, place: Place, depth = 0): unknown {
  const { root, ui } = place;
  const schema = resolved(root, place.schema);
  const widget = ui['ui:widget'] ?? asObject(ui['ui:options'])['widget'];
  if (widget === 'password' || schema['format'] === 'password') return data ? mask : data;
  if (depth > maxMaskedDepth) return undefined;
  if (Array.isArray(data)) {
    const items = { root, schema: schema['items'], ui: asObject(ui['items']) };
    return data.map((entry) => masked(entry, items, depth + 1));
  }
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const field = { root, schema: fieldSchema(schema, key), ui: asObject(ui[key]) };
      return [key, masked(value, field, depth + 1)];
    }),
  );
}

/** The schema of a field, alternatives included. If the field is a password in one of them, it counts as one. */
export function fieldSchema(schema: Fields, key: string): unknown {
  const named =
    own(asObject(schema['properties']), key) ?? (schema['type'] === 'array' ? schema['items'] : undefined);
  if (named !== undefined) return named;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name]));
  const branches = [...parts, schema['then'], schema['else'], ...dependents(schema)];
  return branches
    .map((part) => own(asObject(asObject(part)['properties']), key))
    .find((found) => found !== undefined);
}

/** The schemas that apply when another field is present. */
function dependents(schema: Fields): readonly unknown[] {
  return [schema['dependencies'], schema['dependentSchemas']]
    .flatMap((part) => Object.values(asObject(part)))
    .flatMap((part) => [part, ...listOf(asObject(part)['oneOf'])]);
}

/** Follows references within the schema. */
export function resolved(root: Fields, schema: unknown, depth = 0): Fields {
  const fields = asObject(schema);
  const reference = fields['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/') || depth > maxReferences) return fields;
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => own(asObject(at), part.replaceAll('~1', '/').replaceAll('~0', '~')), root);
  const { $ref: _, ...others } = fields;
  return { ...resolved(root, target, depth + 1), ...others };
}
