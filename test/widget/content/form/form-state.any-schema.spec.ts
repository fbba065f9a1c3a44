import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { argumentErrors } from '../../../../src/service/tools/check-arguments.ts';
import { allFields, type ValueField } from '../../../../src/widget/content/form/form-model.ts';
import { FormState } from '../../../../src/widget/content/form/form-state.ts';
import { typesOf, valueAt } from '../../../../src/widget/content/form/schema/json.ts';
import { tries } from '../../../tools/quick.ts';

type Schema = Readonly<Record<string, unknown>>;

const formats = ['email', 'uri', 'url', 'date', 'time', 'date-time', 'hostname', 'duration', 'uuid', 'ipv4'];
const texts = [
  '',
  ' ',
  'x',
  ' a ',
  '12',
  'a@b.de',
  'http://localhost/',
  '2026-02-03',
  '10:30:00',
  'P1D',
  '😀😀',
];
const numbers = [0, 1, -3, 0.1, 19.99, 1000, 1e-7];

const text = fc.record(
  {
    type: fc.constant('string'),
    minLength: fc.nat(3),
    maxLength: fc.constantFrom(1, 5, 1e9),
    pattern: fc.constantFrom('^[A-Z]{2}', String.raw`^\S+$`, String.raw`\d`),
    format: fc.constantFrom(...formats),
    default: fc.constantFrom('', 'abc'),
  },
  { requiredKeys: ['type'] },
);
const number = fc.record(
  {
    type: fc.constantFrom('number', 'integer', ['integer', 'null']),
    minimum: fc.constantFrom(0, -5, 0.5),
    exclusiveMaximum: fc.constantFrom(10, 1000),
    multipleOf: fc.constantFrom(0.01, 0.1, 5),
    default: fc.constantFrom(0, 7),
  },
  { requiredKeys: ['type'] },
);
const plain = fc.oneof<fc.Arbitrary<Schema>[]>(
  text,
  number,
  fc.constantFrom<Schema>(
    {},
    { type: 'boolean' },
    { type: 'boolean', const: true },
    { type: ['string', 'null'], minLength: 2 },
    { anyOf: [{ type: 'string', format: 'time' }, { type: 'null' }], default: null },
    { const: 1 },
    { const: { a: [null] } },
    { enum: ['a', 1, null, { x: 1 }, ['q'], '1'] },
    { oneOf: [{ const: 1, title: 'One' }, { const: 'two' }, { const: null }] },
    { $ref: '#/$defs/tree' },
    { type: 'array', uniqueItems: true, minItems: 1, items: { enum: ['a', 'b', 'c'] } },
    { type: 'array', prefixItems: [{ type: 'string', minLength: 1 }, { type: 'integer' }], items: false },
  ),
);
const keys = ['a', 'b', 'c/d', 'e~f'];

/** An object with these keys; those of a condition are there, too. */
const groupOf = (part: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc
    .record({
      properties: fc.tuple(part, part, part, part),
      required: fc.subarray(keys),
      others: fc.constantFrom<unknown[]>(undefined, true, false, { type: 'string' }),
      isConditional: fc.boolean(),
      branch: part,
    })
    .map(({ properties, required, others, isConditional, branch }) => ({
      type: 'object',
      required,
      properties: Object.fromEntries(keys.map((key, at) => [key, properties[at]])),
      ...(others === undefined || isConditional ? {} : { additionalProperties: others }),
      ...(isConditional && {
        if: { required: ['a'] },
        then: { required: ['z'], properties: { z: branch } },
        dependentRequired: { b: ['c/d'] },
      }),
    }));

const tree = {
  type: 'object',
  properties: { label: { type: 'string', default: 'x' }, child: { $ref: '#/$defs/tree' } },
};
const schemas = groupOf(
  fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: groupOf(plain) }),
).map((schema): Schema => ({ ...schema, $defs: { tree } }));
const edits = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12 });

/** A value that the field's control could give. */
function valueFor({ choices, schema, widget }: ValueField, at: number): unknown {
  if (widget === 'checkboxes') return choices.slice(0, at % (choices.length + 1)).map(({ value }) => value);
  if (choices.length > 0) return choices[at % choices.length]?.value;
  if (widget === 'checkbox') return at % 2 === 0;
  const values = typesOf(schema).some((type) => type === 'number' || type === 'integer') ? numbers : texts;
  const value = values[at % values.length];
  return value === '' ? undefined : value;
}

test('a form of any schema sends what the service accepts, refuses nothing else, and changes no input', () => {
  fc.assert(
    fc.property(schemas, edits, (schema, steps) => {
      const state = new FormState({ schema, ui: {}, data: undefined }, String);
      for (const [which, at] of steps) {
        const fields = [...allFields(state.form)].filter(
          (field) => field.kind === 'value' && field.widget !== 'data',
        );
        const field = fields[which % fields.length] as ValueField | undefined; // filtered above
        if (!field) return;
        const value = valueFor(field, at);
        state.setValue(field.path, value);
        // a group that has its defaults again, which are incomplete, is not sent
        if (value !== undefined && value !== false && value !== field.schema['default'])
          expect(valueAt(state.data, field.path)).toEqual(value);
      }
      const sent: unknown = JSON.parse(JSON.stringify(state.data));
      const told = state.errors().map(({ error, field }) => `${field.pointer} ${error.keyword}`);
      expect({ told: told.length > 0, sent }).toEqual({
        told: argumentErrors(schema, sent).length > 0,
        sent,
      });
    }),
    { numRuns: Number(process.env['FORMS'] ?? tries(40)), seed: 7 },
  );
});
