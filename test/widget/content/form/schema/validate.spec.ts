import { expect, test } from '@playwright/test';
import { Validator } from '@cfworker/json-schema';
import { validateSchema } from '../../../../../src/widget/content/form/schema/validate.ts';
import { corpus } from '../../../../tools/corpora.ts';

interface SchemaCase {
  readonly name: string;
  readonly draft: string;
  readonly schema: unknown;
  readonly data: unknown;
  readonly valid: boolean;
  readonly format_assertion?: boolean;
}

const checkedFormats = /\/format\/(email|uri|date|date-time|time)\//;

const cases = corpus<SchemaCase>('json-schema')?.cases;

test('gives the verdict of the JSON Schema test suite in at least 99.9 % of its cases', () => {
  test.skip(!cases, '../shared/corpora is absent: json-schema.json was not read');
  const counted = cases!.filter(
    ({ name, format_assertion }) => !format_assertion || checkedFormats.test(name),
  );
  const wrong = counted.filter(({ schema, data, draft, valid }) => {
    const { faults, complete } = validateSchema(schema, data, draft === 'draft7' ? '7' : '2020-12');
    return !complete || (faults.length === 0) !== valid;
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
  expect(counted.length).toBeGreaterThan(1000);
});

test('agrees with another validator about every schema of the suite and every value of it', () => {
  test.skip(!cases, '../shared/corpora is absent: json-schema.json was not read');
  test.setTimeout(120_000);
  // The other one takes an `$anchor` under an inner `$id` for one of the outer document, against the suite.
  const core = cases!.filter(
    ({ format_assertion, schema }) => !format_assertion && !JSON.stringify(schema).includes('"$anchor"'),
  );
  const values = [...new Map(core.map(({ data }) => [JSON.stringify(data), data])).values()];
  const schemas = new Map(
    core.map(({ draft, schema }) => [`${draft}${JSON.stringify(schema)}`, { draft, schema }]),
  );
  const differing: string[] = [];
  for (const { draft, schema } of schemas.values()) {
    const version = draft === 'draft7' ? '7' : '2020-12';
    // It writes notes into the schema, so it gets a copy.
    const other = new Validator(JSON.parse(JSON.stringify(schema)), version);
    for (const data of values) {
      const ours = validateSchema(schema, data, version).faults.length === 0;
      if (ours !== other.validate(data).valid)
        differing.push(`${JSON.stringify(schema)} ${JSON.stringify(data)}`);
    }
  }
  expect(differing).toEqual([]);
});

test('ends, whatever the schema and its patterns are made for', () => {
  const text = 'a'.repeat(5000);
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `d${index}`,
      { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  );
  const hostile: readonly (readonly [unknown, unknown])[] = [
    [{ pattern: '^(a+)+$' }, `${text}!`],
    [{ pattern: '^(a|a)*$' }, `${text}!`],
    [{ pattern: '(.*)*(.*)*(.*)*x$' }, text],
    [{ pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' }, text],
    [{ pattern: '(?=(a+)+$)a*b' }, `${text}!`],
    [{ patternProperties: { '^(a+)+$': true } }, { [`${text}!`]: 1 }],
    [{ $ref: '#' }, 1],
    [{ allOf: [{ $ref: '#' }] }, 1],
    [{ $ref: '#/$defs/d0', $defs: { ...doubling, d40: { type: 'string' } } }, 'x'],
    [JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}'), {}],
    [
      { type: ['__proto__', null, {}], enum: 'x', required: 'length', format: 'constructor', pattern: '[' },
      'x',
    ],
    [{ properties: null, items: 7, allOf: {}, anyOf: null, if: 3, dependencies: [] }, { a: [1] }],
  ];
  // one that tries all ways in turn would not be done with the first of them before this test's own time is over
  const results = hostile.map(([schema, data]) => validateSchema(schema, data));
  expect(results.map(({ complete }) => typeof complete)).toEqual(hostile.map(() => 'boolean'));
  expect(validateSchema({ $ref: '#' }, 1).complete).toBe(false);
  expect(validateSchema({ pattern: '^(a+)+$' }, `${text}!`).faults).toMatchObject([{ keyword: 'pattern' }]);
});

test('reads patterns as the platform does', () => {
  const patterns = [
    String.raw`^[A-Z]{2}-\d{3,5}$`,
    String.raw`^(?=.*[A-Z])(?=.*\d)(?!.*\s).{8,}$`,
    String.raw`\bcat\b`,
    String.raw`^(?:\+?\d{1,3}[ -]?)?(?:\(\d+\)|\d+)(?:[ -]\d+)*$`,
    String.raw`a|b|^$`,
    String.raw`^.$`,
    String.raw`^\p{L}+$`,
    String.raw`^[^\]\[]+$`,
    String.raw`(?<year>\d{4})-(?<month>\d\d)`,
    String.raw`^(a?b*)*?c{0,2}$`,
    String.raw`\u0041|\x42|\u{1F600}`,
    String.raw`^\S+@\S+\.\w{2,}$`,
  ];
  const texts = [
    'AB-123',
    'AB-12',
    'Passw0rd',
    'Pass w0rd',
    'concat cat',
    'concatenate',
    '+49 (30) 123-45',
    '',
    'a',
    '😀',
    '\n',
  ];
  texts.push(
    'é',
    'ab]c',
    'x-2026-11',
    'abbabcc',
    'abbabccc',
    'A',
    'B',
    'ann@example.org',
    '12345678',
    'Ünïcode',
  );
  for (const pattern of patterns) {
    for (const text of texts) {
      const expected = new RegExp(pattern, 'u').test(text);
      expect(validateSchema({ pattern }, text).faults.length === 0, `${pattern} on ${text}`).toBe(expected);
    }
  }
});
