import { expect, test } from '@playwright/test';
import type { ContentItem } from '../../../src/protocol/index.ts';
import { givenTitle, plainLine, plainTitle, visibleText } from '../../../src/service/storage/message-text.ts';

test('a line has the words of Markdown without its marks', () => {
  const cases = [
    ['# Berths\n\nWhich **berths** are _free_?', 'Berths Which berths are free?'],
    ['- one\n- two\n1. three', 'one two three'],
    ['> quoted `code` and ~~gone~~', 'quoted code and gone'],
    ['see [the map](https://example.com/a_b "Map") and ![a boat](boat.png)', 'see the map and a boat'],
    ['```js\nlet a_b = 2 * 3;\n```', 'let a_b = 2 * 3;'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['snake_case_name costs 2*3', 'snake_case_name costs 2*3'],
    ['tab\tnul\u0000 lone \ud800 end', 'tab nul lone end'],
  ] as const;
  for (const [text, line] of cases) expect(plainLine(text, 200)).toBe(line);
});

test('a line that is no rule after all takes no longer than another', () => {
  expect(plainLine(`${'-'.repeat(15_999)}x`, 2_000)).toBe(`${'-'.repeat(2_000)}…`);
  expect(plainLine(`${'\n '.repeat(7_999)}x`, 2_000)).toBe('x');
});

test('a long line is cut at a word, a long word between characters', () => {
  expect(plainLine('one two three four', 12)).toBe('one two…');
  expect(plainLine('東京都の天気はどうですか', 5)).toBe('東京都の天…');
  expect(plainLine('⛵'.repeat(9), 3)).toBe('⛵⛵⛵…');
  expect(plainLine('exact', 5)).toBe('exact');
});

test('the text of a message is what people read of it', () => {
  const card = { response_type: 'card', title: 'Berth 4', body: [{ response_type: 'text', text: 'free' }] };
  expect(visibleText({ content: [{ response_type: 'text', text: 'Look:' }, card] })).toBe(
    'Look:\nBerth 4\nfree',
  );
  expect(visibleText({ content: 'plain' })).toBe('plain');
  expect(visibleText({ content: null })).toBe('');
  expect(visibleText({ role: 'system', content: 'rules' })).toBe('');
  const hidden = { display_properties: { skip_render: true } };
  expect(visibleText({ content: 'hidden', additional_properties: hidden })).toBe('');
});

test('a title is one line of at most 200 characters', () => {
  expect(plainTitle('  a *b*\n\tc ')).toBe('a *b* c');
  expect([...plainTitle('x'.repeat(500))]).toHaveLength(201);
  expect(givenTitle({ additional_properties: { thread_title: ' Fees ' } })).toBe('Fees');
  expect(givenTitle({ additional_properties: { thread_title: '  ' } })).toBeUndefined();
  expect(givenTitle({ additional_properties: { thread_title: 5 } })).toBeUndefined();
});

test('the text of a form or a decision without words is its title', () => {
  const json_schema = { type: 'object', title: 'Announce an arrival' };
  const form = { response_type: 'forms', name: 'arrival', json_schema };
  const text = (item: ContentItem): string => visibleText({ content: [item] });
  expect(text(form)).toBe('Announce an arrival');
  expect(text({ ...form, name: 'Book a berth', sub_type: 'tool_approval' })).toBe('Book a berth');
  expect(text({ ...form, json_schema: {}, name: 'Arrival' })).toBe('Arrival');
  expect(text({ ...form, title: 'Your arrival' })).toBe('Your arrival');
  expect(text({ response_type: 'form_operation', name: 'arrival' })).toBe('');
});
