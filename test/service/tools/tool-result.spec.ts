import { expect, test } from '@playwright/test';
import { resultForModel } from '../../../src/service/tools/result-for-model.ts';
import type { CallRecord } from '../../../src/service/tools/tool-call.ts';
import { readToolResult } from '../../../src/service/tools/tool-result.ts';

const data = 'iVBORw0KGgo=';
const picture = { type: 'image', mimeType: 'image/png', data } as const;
const read = (...content: Parameters<typeof readToolResult>[0]['content']) =>
  readToolResult({ content }, 1_000);
const shown = [{ response_type: 'image', source: `data:image/png;base64,${data}` }];

test('a picture is shown, whether it stands in the result or in a resource', () => {
  expect(read(picture)).toMatchObject({ text: '[image shown to the visitor]', items: shown });
  const resource = { uri: 'file:///a.png', mimeType: 'image/png', blob: data };
  expect(read({ type: 'resource', resource })).toMatchObject({
    text: '[resource file:///a.png shown to the visitor]',
    items: shown,
  });
});

test('a resource of another type is named', () => {
  const resource = { uri: 'file:///a.zip', mimeType: 'application/zip', blob: data };
  expect(read({ type: 'resource', resource })).toMatchObject({ text: '[resource file:///a.zip]', items: [] });
});

test('a picture for the model alone is not shown', () => {
  expect(read({ ...picture, annotations: { audience: ['assistant'] } })).toMatchObject({
    text: '[image not shown to the visitor]',
    items: [],
  });
  expect(read({ ...picture, annotations: { audience: ['user'] } }).items).toEqual(shown);
});

test('a picture of another type is left out', () => {
  const { text, items } = read({ ...picture, mimeType: 'image/svg+xml' });
  expect(text).toBe('[image left out: too large, or of another type]');
  expect(items).toEqual([]);
});

test('the model reads that a call returned nothing', () => {
  const call = { state: 'done', server: 'berths', result: '' } as CallRecord; // what is read
  expect(resultForModel(call)).toBe('The call ended and returned nothing.');
});
