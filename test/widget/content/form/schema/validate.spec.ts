import { expect, test } from '@playwright/test';
import { corpus } from '../../../../tools/corpora.ts';
import { sample } from '../../../../tools/quick.ts';
import { validateSchema } from './validate-schema.ts';

interface SchemaCase {
  readonly name: string;
  readonly draft: string;
  readonly schema: object;
  readonly data: unknown;
  readonly valid: boolean;
  readonly format_assertion?: boolean;
}

/** Where the form accepts what the suite rejects: times without a zone, and what the library accepts. */
const knownDeviations = [
  'draft7/format/uri/validation-of-uris/44-non-numeric-port-is-invalid',
  'draft7/format/uri/validation-of-uris/46-square-brackets-are-not-allowed-in-a-path-segment',
  'draft2020-12/format/time/validation-of-time-strings/42-no-time-offset',
  'draft2020-12/format/time/validation-of-time-strings/43-no-time-offset-with-second-fraction',
  'draft2020-12/format/uri/validation-of-uris/45-leading-zero-in-an-embedded-ipv4-address-is-invali',
];

/** The suite leaves it out of the schemas of this draft. */
const draft7 = 'http://json-schema.org/draft-07/schema#';

const checkedFormats =
  /\/format\/(email|uri|date|date-time|time|duration|json-pointer|regex|uuid|ipv4|ipv6|relative-json-pointer)\//;

const cases = corpus<SchemaCase>('json-schema')?.cases;

test('matches the JSON Schema test suite in at least 99.9 % of its cases', () => {
  test.skip(!cases, '../shared/corpora is absent: json-schema.json was not read');
  const counted = cases!.filter(
    ({ name, format_assertion }) => !format_assertion || checkedFormats.test(name),
  );
  const wrong = counted.filter(({ schema, data, draft, valid }) => {
    const { errors, complete } = validateSchema(
      draft === 'draft7' ? { ...schema, $schema: draft7 } : schema,
      data,
    );
    return !complete || (errors.length === 0) !== valid;
  });
  expect(wrong.map(({ name }) => name)).toEqual(knownDeviations);
  expect(wrong.filter(({ valid }) => valid)).toEqual([]);
  expect(counted.length).toBeGreaterThan(1000);
});

test('ends for schemas and patterns that are made to run forever', () => {
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
    [{ items: { enum: Array(9000).fill('no') } }, Array(40_000).fill('x')],
    [{ uniqueItems: true, items: { uniqueItems: true } }, Array(40_000).fill({})],
    [
      { allOf: Array(9000).fill({ minProperties: 1 }) },
      Object.fromEntries(Object.entries(Array(40_000).fill(1))),
    ],
    [{ allOf: Array(9000).fill({ pattern: '^a*$' }) }, 'a'.repeat(2_000_000)],
    [{ allOf: Array(2000).fill({ pattern: '^a*a*a*$' }) }, `${'a'.repeat(99)}!`],
    [{ anyOf: Array(9000).fill({ required: ['a', 'b'] }) }, {}],
    [{ pattern: '('.repeat(900) + ')'.repeat(900) }, text],
    [{ format: 'url' }, `http://${'a'.repeat(40)}-`.repeat(1000)],
    [{ properties: { '\ud800': { type: 'string' } } }, { '\ud800': 1 }],
  ];
  for (const [schema, data] of sample(hostile)) {
    const started = performance.now();
    const { complete } = validateSchema(schema, data);
    expect(typeof complete).toBe('boolean');
    expect(performance.now() - started, JSON.stringify(schema).slice(0, 80)).toBeLessThan(5000);
  }
  expect(validateSchema({ $ref: '#' }, 1).complete).toBe(false);
  expect(validateSchema({ pattern: '^(a+)+$' }, `${text}!`).errors).toEqual([]);
});

test('reads patterns like the engine', () => {
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
    String.raw`^(?:ab*)*?c{0,2}$`,
    String.raw`^\d{3}[-.]\d{4}$`,
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
      expect(validateSchema({ pattern }, text).errors.length === 0, `${pattern} on ${text}`).toBe(expected);
    }
  }
});

test('leaves potentially slow patterns to the service, also inside a `not`', () => {
  const slow = { pattern: '^(a+)+$' };
  const lenient: readonly (readonly [unknown, unknown])[] = [
    [slow, 'b'],
    [{ not: slow }, 'aa'],
    [{ if: slow, then: { minLength: 9 }, else: { minLength: 9 } }, 'aa'],
    [{ oneOf: [slow, { minLength: 1 }] }, 'b'],
    [{ contains: slow, maxContains: 1 }, ['b', 'c']],
    [{ patternProperties: { '^(a+)+$': { type: 'string' } }, additionalProperties: false }, { a: 1 }],
    [{ not: { $ref: '#/$defs/slow' }, $defs: { slow: { allOf: [slow] } } }, 'aa'],
    [{ not: { $ref: 'https://elsewhere.example/schema' } }, 1],
    [{ $ref: 'https://elsewhere.example/schema', unevaluatedProperties: false }, { a: 1 }],
    [{ not: { format: 'phone' } }, 'x'],
    [{ pattern: '^(a)\\1$' }, 'b'],
    [{ pattern: '(?<=a)b' }, 'c'],
    [{ pattern: '[' }, 'c'],
    [{ pattern: '^[^@]+@.+[.].+$' }, 'a'.repeat(200)],
    [{ pattern: '^[\\w-.]+$' }, '!'],
    [{ uniqueItems: true }, Array(300).fill(1)],
    [{ multipleOf: -1, required: true, type: 'any', anyOf: [], minLength: '9' }, 'x'],
  ];
  for (const [schema, data] of lenient)
    expect(validateSchema(schema, data), JSON.stringify(schema)).toEqual({ errors: [], complete: true });
  const strict: readonly (readonly [unknown, unknown])[] = [
    [{ not: { pattern: '^a' } }, 'ab'],
    [{ pattern: '^[^@\\s]+@[^@\\s]+[.][^@\\s]+$' }, 'a@b'],
    [{ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }, 'two--dashes'],
    [{ pattern: '^\\d{3}\\-\\d{4}$' }, '1234567'],
    [{ uniqueItems: true }, [1, 1]],
    // a large file does not reduce what is checked elsewhere
    [{ properties: { mail: { format: 'email' } } }, { mail: 'x', file: 'a'.repeat(8_000_000) }],
  ];
  for (const [schema, data] of strict)
    expect(validateSchema(schema, data).errors, JSON.stringify(schema)).toHaveLength(1);
});

test('names path, keyword and limit of each error', () => {
  const faults = (schema: unknown, data: unknown): readonly unknown[] =>
    validateSchema(schema, data).errors.map(({ path, keyword, limit }) => [path.join('/'), keyword, limit]);
  const address = { type: 'object', required: ['street', 'city'], properties: { zip: { maxLength: 5 } } };
  const schema = {
    $defs: { address },
    properties: { home: { $ref: '#/$defs/address' }, 'a/b~c %': { minimum: 3 }, closed: false },
    additionalProperties: false,
    dependentRequired: { home: ['phone'] },
  };
  expect(faults(schema, { home: { zip: '123456' }, 'a/b~c %': 2, closed: 1, other: 1 })).toEqual([
    ['phone', 'required', true],
    ['home/street', 'required', true],
    ['home/city', 'required', true],
    ['home/zip', 'maxLength', 5],
    ['a/b~c %', 'minimum', 3],
    ['closed', 'false', false],
    ['other', 'additionalProperties', false],
  ]);
  expect(faults({ propertyNames: { maxLength: 1 } }, { ab: 1 })).toEqual([['ab', 'propertyNames', true]]);
  expect(faults({ contains: { minimum: 5 }, minContains: 2 }, [5, 1])).toEqual([['', 'contains', 2]]);
  expect(faults({ contains: { minimum: 5 }, maxContains: 1 }, [5, 6])).toEqual([['', 'maxContains', 1]]);
  expect(faults({ oneOf: [{ minimum: 1 }, { minimum: 2 }, { minimum: 9 }] }, 3)).toEqual([['', 'oneOf', 2]]);
  const branches = { items: { anyOf: [{ type: 'null' }, { type: 'object', required: ['a'] }] } };
  expect(faults(branches, [{}, null, {}])).toEqual([
    ['0', 'anyOf', 0],
    ['0/a', 'required', true],
    ['2', 'anyOf', 0],
    ['2/a', 'required', true],
  ]);
});

test('validates empty items as null, and ignores what a page adds to Object.prototype', () => {
  expect(validateSchema({ items: { type: 'string' } }, [undefined]).errors).toMatchObject([{ path: [0] }]);
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  for (const name of ['addition', 'items', 'not']) prototype[name] = {};
  try {
    expect(validateSchema({ additionalProperties: false }, {}).errors).toEqual([]);
    expect(validateSchema({ type: 'array' }, [1]).errors).toEqual([]);
  } finally {
    for (const name of ['addition', 'items', 'not']) Reflect.deleteProperty(prototype, name);
  }
});

test('validates the formats that visitors enter', () => {
  const fits = (format: string, value: string): boolean =>
    validateSchema({ format }, value).errors.length === 0;
  const right = [
    ['email', 'a@b.example'],
    ['uri', 'https://a.example/x?y#z'],
    ['date', '2024-02-29'],
    ['date-time', '2026-11-21T10:00:00+01:00'],
    ['time', '10:00:00Z'],
    ['uuid', '5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10'],
  ] as const;
  const wrong = [
    ['email', 'a@'],
    ['email', 'a b@c.example'],
    ['uri', 'a.example'],
    ['uri', 'http://a.example/ x'],
    ['date', '2023-02-29'],
    ['date', '2026-1-1'],
    ['date-time', '2026-11-21'],
    ['time', '25:00:00Z'],
    ['uuid', '5b1f'],
  ] as const;
  expect(right.filter(([format, value]) => !fits(format, value))).toEqual([]);
  expect(wrong.filter(([format, value]) => fits(format, value))).toEqual([]);
});
