import { expect, test } from '@playwright/test';
import { allFields, type Field } from '../../../../src/widget/content/form/form-model.ts';
import { FormState } from '../../../../src/widget/content/form/form-state.ts';

function formOf(schema: unknown, data?: unknown, ui: unknown = {}): FormState {
  return new FormState({ schema, ui, data }, (number) => `Option ${number}`);
}

function fieldsOf(state: FormState): readonly string[] {
  return [...allFields(state.form)].map((field) => `${field.pointer}:${kindOf(field)}`);
}

function kindOf(field: Field): string {
  return field.kind === 'value' ? field.widget : field.kind;
}

function faultsOf(state: FormState): readonly string[] {
  return state.errors().map(({ error, field }) => `${field.pointer} ${error.keyword}`);
}

test('fills in the schema’s defaults and nothing else', () => {
  const schema = {
    type: 'object',
    required: ['terms', 'kind', 'owner'],
    properties: {
      boat: { type: 'string', default: 'Albatros' },
      strange: { type: 'string', default: 7 },
      terms: { type: 'boolean', const: true },
      kind: { const: 'sail' },
      owner: { type: 'object', properties: { name: { type: 'string' } } },
      address: { type: 'object', properties: { street: { type: 'string' } } },
      tags: { type: 'array', minItems: 2, default: ['a'], items: { type: 'string', default: 'b' } },
    },
  };
  expect(formOf(schema).data).toEqual({
    boat: 'Albatros',
    terms: false,
    kind: 'sail',
    owner: {},
    tags: ['a', 'b'],
  });
  expect(formOf(schema, { boat: 'Seagull', other: 1 }).data).toMatchObject({ boat: 'Seagull', other: 1 });
});

test('labels a field that refers to a definition by its property, and an alternative by its definition', () => {
  const state = formOf({
    $defs: {
      largeEnum: { type: 'string', enum: ['a', 'b'] },
      titled: { type: 'string', title: 'Harbour' },
      bySea: { type: 'object', properties: { ship: { type: 'string' } } },
      byLand: { type: 'object', properties: { lorry: { type: 'string' } } },
    },
    type: 'object',
    properties: {
      home_port: { $ref: '#/$defs/largeEnum' },
      nextPort: { $ref: '#/$defs/largeEnum' },
      harbour: { $ref: '#/$defs/titled' },
      transport: { oneOf: [{ $ref: '#/$defs/bySea' }, { $ref: '#/$defs/byLand' }] },
    },
  });
  const labels = Object.fromEntries([...allFields(state.form)].map(({ pointer, label }) => [pointer, label]));
  expect(labels).toMatchObject({
    '/home_port': 'Home port',
    '/nextPort': 'Next port',
    '/harbour': 'Harbour',
  });
  const transport = [...allFields(state.form)].find(({ pointer }) => pointer === '/transport');
  expect(transport?.variants).toEqual(['By sea', 'By land']);
});

test('applies order, names and hints of the ui schema', () => {
  const state = formOf(
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string', title: 'See' } },
    },
    {},
    {
      'ui:order': ['c', '*', 'gone', 'a'],
      a: { 'ui:widget': 'TextareaWidget', 'ui:options': { title: 'Alpha' } },
    },
  );
  expect(fieldsOf(state)).toEqual([':group', '/c:text', '/b:text', '/a:textarea']);
  expect([...allFields(state.form)].map(({ label }) => label)).toEqual(['', 'See', 'B', 'Alpha']);
});

test('ignores another dialect of ui schema', () => {
  const layout = { type: 'VerticalLayout', elements: [{ type: 'Control', scope: '#/properties/elements' }] };
  const schema = { type: 'object', properties: { elements: { type: 'string' }, type: { type: 'string' } } };
  expect(fieldsOf(formOf(schema, {}, layout))).toEqual([':group', '/elements:text', '/type:text']);
});

test('selects the alternative that the data matches, then the one the visitor chose', () => {
  const schema = {
    oneOf: [
      { title: 'Phone', type: 'object', required: ['phone'], properties: { phone: { type: 'string' } } },
      {
        title: 'Post',
        type: 'object',
        required: ['street'],
        properties: { street: { type: 'string', default: 'Quay 1' } },
      },
    ],
  };
  const state = formOf(schema, { street: 'Harbour road' });
  expect(fieldsOf(state)).toEqual([':group', '/street:text']);
  state.chooseVariant(state.form, 0);
  expect(state.data).toEqual({});
  expect(faultsOf(state)).toEqual(['/phone required']);
  state.setValue(['phone'], '123');
  expect(faultsOf(state)).toEqual([]);
  state.chooseVariant(state.form, 1);
  expect(state.data).toEqual({ street: 'Quay 1' });
});

test('keeps the alternative in which the visitor writes, also while the input fits another', () => {
  const properties = { phone: { type: 'string', minLength: 5 } };
  const state = formOf({
    oneOf: [
      { title: 'Phone', type: 'object', required: ['phone'], properties },
      { title: 'Post', type: 'object', properties: { street: { type: 'string' } }, maxProperties: 3 },
    ],
  });
  state.setValue(['phone'], '12');
  expect(fieldsOf(state)).toEqual([':group', '/phone:text']);
  expect(state.data).toEqual({ phone: '12' });
});

test('a list of fixed positions is checked when it was begun in the middle, and not sent when emptied', () => {
  const properties = {
    place: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    name: { type: 'string', minLength: 3 },
  };
  const state = formOf({ type: 'object', properties });
  state.setValue(['name'], 'x');
  state.setValue(['place', 1], 53.5);
  expect(faultsOf(state)).toEqual(['/place/0 type', '/name minLength']);
  state.setValue(['place', 0], 'Quay');
  expect(faultsOf(state)).toEqual(['/name minLength']);
  state.setValue(['place', 1], undefined);
  expect(state.data).toEqual({ name: 'x', place: ['Quay'] });
  state.setValue(['place', 0], undefined);
  expect(state.data).toEqual({ name: 'x' });
});

test('a part that a condition adds has its defaults, and loses them with the condition', () => {
  const state = formOf({
    type: 'object',
    properties: {
      pay: { enum: ['card', 'cash'] },
      tip: { const: 1 },
      name: { type: 'string', default: 'Anna' },
    },
    if: { properties: { pay: { const: 'card' } }, required: ['pay'] },
    then: {
      required: ['kind'],
      properties: { kind: { const: 'c' }, months: { type: 'integer', default: 3 } },
    },
    dependentRequired: { pay: ['tip'] },
  });
  state.setValue(['name'], undefined);
  expect(state.data).toEqual({});
  state.setValue(['pay'], 'card');
  expect(state.data).toEqual({ pay: 'card', tip: 1, kind: 'c', months: 3 });
  state.setValue(['months'], undefined);
  expect(state.data).toEqual({ pay: 'card', tip: 1, kind: 'c' });
  state.setValue(['pay'], 'cash');
  expect(state.data).toEqual({ pay: 'cash', tip: 1 });
});

test('another alternative does not fill in what the visitor emptied elsewhere', () => {
  const alternatives = [
    { title: 'None', type: 'null' },
    { title: 'Post', type: 'object', properties: { street: { type: 'string', default: 'Quay 1' } } },
  ];
  const properties = { name: { type: 'string', default: 'Anna' }, by: { oneOf: [...alternatives, true] } };
  const state = formOf({ type: 'object', properties });
  state.setValue(['name'], undefined);
  const [, , by] = [...allFields(state.form)];
  state.chooseVariant(by!, 1);
  expect(state.data).toEqual({ by: { street: 'Quay 1' } });
});

test('another alternative of another type begins without the value', () => {
  const amount = { oneOf: [{ type: 'integer' }, { type: 'string', format: 'date' }] };
  const state = formOf({ type: 'object', properties: { amount } });
  state.setValue(['amount'], 5);
  const [, field] = [...allFields(state.form)];
  state.chooseVariant(field!, 1);
  expect(state.data).toEqual({});
});

test('an additional key takes no name of another field', () => {
  const state = formOf(
    { properties: { name: {} }, additionalProperties: { type: 'string' } },
    { a: 'x', b: 'y' },
  );
  for (const name of ['name', 'b', '']) state.renameKey([], 'a', name);
  expect(state.data).toEqual({ a: 'x', b: 'y' });
  state.renameKey([], 'a', 'c');
  expect(state.data).toEqual({ c: 'x', b: 'y' });
});

test('a default within a recursive schema is filled in once', () => {
  const properties = { name: { type: 'string', default: 'x' }, child: { $ref: '#' } };
  expect(formOf({ type: 'object', properties }).data).toEqual({ name: 'x' });
});

test('a hint for choices is ignored where there are none, and all choices of a long list are there', () => {
  const list = { type: 'array', items: { type: 'string' } };
  const state = formOf(
    {
      type: 'object',
      properties: {
        crew: { type: 'integer' },
        tags: list,
        size: { type: 'string' },
        owner: { type: 'integer' },
      },
    },
    {},
    {
      crew: { 'ui:widget': 'combobox' },
      tags: { 'ui:widget': 'checkboxes' },
      size: { 'ui:widget': 'multiselect' },
      owner: { 'ui:widget': 'combobox', 'ui:options': { users: [{ id: 1, name: 'Ada' }] } },
    },
  );
  expect(fieldsOf(state)).toEqual([':group', '/crew:number', '/tags:list', '/size:text', '/owner:combobox']);
  const ports = formOf({ enum: Array.from({ length: 2000 }, (_, index) => index) }).form;
  expect(ports.kind === 'value' && ports.choices.length).toBe(2000);
});

test('a nullable time needs no zone, and every format of the validator is checked', () => {
  const time = { anyOf: [{ type: 'string', format: 'time' }, { type: 'null' }] };
  const host = { type: 'string', format: 'hostname' };
  const state = formOf({ type: 'object', properties: { time, host } });
  state.setValue(['time'], '10:30:00');
  expect(faultsOf(state)).toEqual([]);
  state.setValue(['time'], '25:30:00');
  state.setValue(['host'], 'a b');
  expect(faultsOf(state)).toEqual(['/time format', '/host format']);
});

test('omits what a condition removed, and restores it with the visitor’s input', () => {
  const state = formOf({
    type: 'object',
    properties: { pay: { enum: ['card', 'cash'] } },
    if: { properties: { pay: { const: 'card' } }, required: ['pay'] },
    then: { properties: { number: { type: 'string' } } },
    dependentSchemas: { number: { properties: { address: { type: 'string' } } } },
  });
  state.setValue(['pay'], 'card');
  state.setValue(['number'], '42');
  state.setValue(['address'], 'Quay 1');
  expect(state.data).toEqual({ pay: 'card', number: '42', address: 'Quay 1' });
  state.setValue(['pay'], 'cash');
  expect(state.data).toEqual({ pay: 'cash' });
  state.setValue(['pay'], 'card');
  expect(state.data).toEqual({ pay: 'card', number: '42', address: 'Quay 1' });
});

test('never reports an error that no visible field can correct', () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['secret'],
    properties: {
      fixed: { type: 'string', readOnly: true, minLength: 5 },
      secret: { type: 'string' },
      code: { type: 'integer' },
    },
  };
  const state = formOf(schema, { fixed: 'a', extra: 1, code: 'x' }, { secret: { 'ui:widget': 'hidden' } });
  expect(faultsOf(state)).toEqual(['/code type']);
});

test('stops a recursive schema where there is no data', () => {
  const node = {
    type: 'object',
    properties: { name: { type: 'string' }, child: { $ref: '#/definitions/node' } },
  };
  const state = formOf({ definitions: { node }, $ref: '#/definitions/node' }, { child: { name: 'x' } });
  expect(fieldsOf(state)).toEqual([
    ':group',
    '/name:text',
    '/child:group',
    '/child/name:text',
    '/child/child:absent',
  ]);
});

test('treats keys like __proto__ as ordinary keys', () => {
  const schema: unknown = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
  );
  const state = formOf(schema, JSON.parse('{"__proto__":"kept"}'));
  state.setValue(['constructor'], 'x');
  state.setValue(['__proto__'], 'changed');
  expect(JSON.stringify(state.data)).toBe('{"__proto__":"changed","constructor":"x"}');
  expect(Object.getPrototypeOf(state.data)).toBe(Object.prototype);
});

test('a nullable value is one field that may stay empty, in every notation', () => {
  const person = {
    type: 'object',
    title: 'Person',
    required: ['name'],
    properties: { name: { type: 'string' } },
  };
  const state = formOf({
    type: 'object',
    required: ['nick', 'age', 'kind', 'owner', 'note'],
    $defs: { person },
    properties: {
      nick: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      age: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 3 }] },
      kind: { oneOf: [{ enum: ['sail', 'motor'] }, { type: 'null' }], type: ['string', 'null'] },
      owner: { anyOf: [{ $ref: '#/$defs/person' }, { type: 'null' }] },
      note: { type: ['string', 'null'] },
    },
  });
  const fields = [
    ':group',
    '/nick:text',
    '/age:number',
    '/kind:select',
    '/owner:group',
    '/owner/name:text',
    '/note:text',
  ];
  expect(fieldsOf(state)).toEqual(fields);
  expect(
    [...allFields(state.form)].filter(({ variants, required }) => variants.length || required),
  ).toHaveLength(2);
  expect(state.data).toEqual({ nick: null, age: null, kind: null, owner: null, note: null });
  expect(faultsOf(state)).toEqual([]);
  state.setValue(['age'], 2);
  state.setValue(['owner', 'name'], 'Anna');
  expect(faultsOf(state)).toEqual(['/age minimum']);
  state.setValue(['age'], 4);
  state.setValue(['owner', 'name'], undefined);
  expect(faultsOf(state)).toEqual([]);
  expect(state.data).toEqual({ nick: null, age: 4, kind: null, owner: null, note: null });
  expect(fieldsOf(state)).toEqual(fields);
});

test('an optional part that is untouched or emptied requires nothing and is not sent', () => {
  const address = {
    type: 'object',
    required: ['street', 'private'],
    properties: { street: { type: 'string' }, country: { default: 'DE' }, private: { type: 'boolean' } },
  };
  const name = { type: 'object', required: ['first'], properties: { first: { type: 'string' } } };
  const schema = {
    type: 'object',
    properties: { address, name, extras: { type: 'object', properties: { wifi: { default: true } } } },
  };
  const state = formOf(schema);
  expect(faultsOf(state)).toEqual([]);
  expect(state.data).toEqual({ extras: { wifi: true } });
  state.setValue(['name', 'first'], 'A');
  state.setValue(['name', 'first'], undefined);
  expect(state.data).toEqual({ extras: { wifi: true } });
  expect(fieldsOf(state)).toContain('/name/first:text');
  state.setValue(['address', 'private'], true);
  expect(faultsOf(state)).toEqual(['/address/street required']);
  const given = formOf(schema, { name: {} });
  expect(given.data).toMatchObject({ name: {} });
  expect(faultsOf(given)).toEqual(['/name/first required']);
});

test('a draft is stored without secrets and invalid input, and restored', () => {
  const berth = { title: 'Berth', required: ['berth'], properties: { berth: { type: 'number' } } };
  const buoy = { title: 'Buoy', required: ['buoy'], properties: { buoy: { type: 'string' } } };
  const properties = {
    boat: { type: 'string' },
    length: { type: 'number' },
    pin: { type: 'string', format: 'password', default: '0000' },
    code: { type: 'string' },
    keys: { type: 'array', items: { type: 'string', format: 'password' } },
    place: { type: 'object', anyOf: [berth, buoy] },
  };
  const ui = { code: { 'ui:options': { autocomplete: 'one-time-code' } } };
  const schema = { type: 'object', properties };
  const state = formOf(schema, undefined, ui);
  state.setValue(['boat'], 'Albatros');
  state.setValue(['length'], 15, { path: ['length'], keyword: 'number', limit: 'number' });
  state.setValue(['pin'], '1234');
  state.setValue(['code'], '987');
  state.setValue(['keys'], ['secret']);
  const place = [...allFields(state.form)].find(({ pointer }) => pointer === '/place');
  state.chooseVariant(place!, 1);
  state.setValue(['place', 'buoy'], 'North');
  const kept: unknown = JSON.parse(JSON.stringify(state.draft));
  const data = { boat: 'Albatros', pin: '0000', keys: [''], place: { buoy: 'North' } };
  expect(kept).toMatchObject({ data });
  expect(JSON.stringify(kept)).not.toMatch(/1234|987|secret|15/);
  const again = formOf(schema, undefined, ui);
  expect(again.restoreDraft(kept)).toBe(true);
  expect(again.data).toEqual(data);
  expect(fieldsOf(again)).toContain('/place/buoy:text');
  for (const nonsense of [undefined, null, 7, 'text', []]) expect(again.restoreDraft(nonsense)).toBe(false);
  expect(again.data).toEqual(data);
});

test('forgets what a control could not read once its field is hidden: shown again, the control is empty', () => {
  const schema = {
    type: 'object',
    properties: { mooring: { type: 'boolean' } },
    if: { properties: { mooring: { const: true } }, required: ['mooring'] },
    then: { properties: { length: { type: 'number' } } },
  };
  const state = formOf(schema, { mooring: true });
  state.setValue(['length'], undefined, { path: ['length'], keyword: 'number', limit: 'number' });
  expect(faultsOf(state)).toEqual(['/length number']);
  state.setValue(['mooring'], false);
  expect(faultsOf(state)).toEqual([]);
  state.setValue(['mooring'], true);
  expect(faultsOf(state)).toEqual([]);
});
