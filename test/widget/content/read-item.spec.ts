import { expect, test } from '@playwright/test';
import { readItem } from '../../../src/conversation/items.ts';
import { itemFields, text } from '../../../src/widget/content/read-item.ts';

const schema = { type: 'object', properties: { name: { type: 'string' } } };

test('form fields that came as JSON text are parsed once', () => {
  const source = {
    json_schema: JSON.stringify(schema),
    ui_schema: '{"name":{"ui:title":"Name"}}',
    form_data: 'no object',
    title: '{"a":1}',
  };
  const item = readItem(source, 'f');
  expect(item.type).toBe('form');
  expect(itemFields(item)).toEqual({
    ...source,
    json_schema: schema,
    ui_schema: { name: { 'ui:title': 'Name' } },
  });
  expect(itemFields(item)).toBe(itemFields(item));
  expect(item.source).toBe(source);
});

test('a short text shows at most thirty combining characters on a letter', () => {
  expect(text(`a${'\u0301'.repeat(300)}b`)).toBe(`a${'\u0301'.repeat(30)}b`);
  expect(text('\u0301'.repeat(500))).toBe(`${'\u0301'.repeat(30)}…`);
});
