import { expect, test } from '@playwright/test';
import { languageOf } from '../../src/conversation/message-properties.ts';

test('a message has the language that it names, if that is a tag', () => {
  const named = (language: unknown) => languageOf({ additionalProperties: { language } });
  expect(['de', 'pt-BR', 'zh-Hant-TW'].map(named)).toEqual(['de', 'pt-BR', 'zh-Hant-TW']);
  for (const other of ['', 'German', 'd', '"><b>', 7, null]) expect(named(other)).toBeUndefined();
  expect(languageOf({ additionalProperties: undefined })).toBeUndefined();
});
