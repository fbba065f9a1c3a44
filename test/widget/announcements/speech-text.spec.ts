import { expect, test } from '@playwright/test';
import { readItem } from '../../../src/conversation/items.ts';
import { extensions } from '../../../src/markdown/extensions.ts';
import { formulaSyntax } from '../../../src/markdown/formulas.ts';
import { itemToSpeech } from '../../../src/widget/announcements/item-speech.ts';
import { endOfSentences, markdownToSpeech } from '../../../src/widget/announcements/speech-text.ts';
import { defaultStrings, type Strings } from '../../../src/widget/i18n/strings.ts';
import { tries } from '../../tools/quick.ts';

/** Includes the choices themselves. */
const words: Strings = Object.assign(Object.create(defaultStrings) as Strings, {
  t: (key: string, values?: { readonly list?: string }) => values?.list ?? key,
});

function spoken(source: Readonly<Record<string, unknown>>): string {
  return itemToSpeech(readItem(source, 'item'), words);
}

test('reads the labels of choices aloud and skips choices without one', () => {
  const options: readonly unknown[] = [
    { label: 'Series 3', value: '3' },
    { label: { toString: 7, valueOf: 7 }, value: 'four' },
    { label: { text: 'no text' } },
    'Series 5',
    null,
  ];
  expect(spoken({ response_type: 'option', title: 'Which?', options })).toContain('Series 3, four, Series 5');
});

test('reads only the first of many choices aloud', () => {
  const options = Array.from({ length: 10_000 }, (_, index) => ({ label: `choice ${index}` }));
  const said = spoken({ response_type: 'option', options });
  expect(said).toContain('choice 0, choice 1,');
  expect(said).not.toContain('choice 20');
  expect(said).toMatch(/choice 19\. announce\.rest$/);
  expect(said.length).toBeLessThan(600);
});

test('numbers choices whose labels contain commas', () => {
  expect(spoken({ response_type: 'option', options: ['Yes, please', 'No, stay'] })).toBe(
    '1: Yes, please; 2: No, stay',
  );
});

test('sets choices apart in languages without spaces, too', () => {
  const inChinese = { ...words, locale: 'zh-CN' };
  const item = readItem({ response_type: 'option', options: ['靠岸', '离港', '加油'] }, 'item');
  expect(itemToSpeech(item, inChinese)).toBe('靠岸、离港、加油');
});

test('ends a sentence with the closing quotation mark of any language', () => {
  const text = 'Er sagt: „Warten Sie.“\n\nDann fährt er.';
  expect(markdownToSpeech(text, defaultStrings)).toBe('Er sagt: „Warten Sie.“ Dann fährt er.');
  expect(endOfSentences('Er sagt: „Warten Sie.“ Dann', 0)).toBe(22);
});

test('reads the text of the page’s own items and of unknown ones', () => {
  const own = { type: 'tide', text: 'High water at **six**' };
  expect(spoken({ response_type: 'user_defined', user_defined: own })).toBe('High water at six');
  expect(spoken({ response_type: 'tide', title: 'Tide', text: 'Six' })).toBe('Tide. Six');
});

test('reads the words in cards, carousels and grids', () => {
  const card = (name: string): Readonly<Record<string, unknown>> => ({
    response_type: 'card',
    body: [
      { response_type: 'image', source: '/quay.svg', alt_text: name },
      { response_type: 'text', text: `**${name}**\n\n12 m` },
    ],
    footer: [{ response_type: 'button', label: `Book ${name}` }],
  });
  expect(spoken(card('C 14'))).toBe('C 14. 12 m');
  expect(spoken({ response_type: 'carousel', title: 'Berths', items: [card('C 14'), card('D 3')] })).toBe(
    'Berths. C 14. 12 m. D 3. 12 m',
  );
  const cell = (text: string): unknown => ({ items: [{ response_type: 'text', text }] });
  const rows = [{ cells: [cell('Office'), cell('08:00')] }, { cells: [cell('Fuel')] }, null, 'odd'];
  expect(spoken({ response_type: 'grid', rows })).toBe('Office. 08:00. Fuel. odd');
});

test('reads the offer of a person, the names of files, and what is wrong with a connection', () => {
  const offer = { message: 'The duty officer is there.' };
  expect(spoken({ response_type: 'connect_to_agent', agent_available: offer })).toBe(offer.message);
  expect(spoken({ response_type: 'connect_to_agent', agent_available: offer.message })).toBe(offer.message);
  expect(spoken({ response_type: 'connect_to_agent' })).toBe('');
  const files = ['invoice.pdf', 'rules.pdf'].map((fileName) => ({ fileName, url: '/file' }));
  expect(spoken({ response_type: 'file_download', files })).toBe('invoice.pdf. rules.pdf');
  const lost = { connection_status: 'disconnected', connection_message: 'Sign in again.' };
  expect(spoken({ response_type: 'disconnected_apps', ...lost })).toBe('Sign in again.');
});

test('reads items inside each other to a limit', () => {
  let item: Readonly<Record<string, unknown>> = { response_type: 'text', text: 'deep' };
  for (let level = 0; level < 20_000; level += 1) item = { response_type: 'card', title: 'a', body: [item] };
  expect(spoken(item)).toBe('a. a. a. a. a');
});

test('announces "Image" before alternative text and skips images without it', () => {
  const spoken = (text: string): string => markdownToSpeech(text, defaultStrings);
  expect(spoken('The harbour ![A boat at berth 12](boat.png) at noon')).toBe(
    'The harbour Image: A boat at berth 12 at noon',
  );
  expect(spoken('![](line.png)')).toBe('');
});

test('sets the items of nested lists apart from the items that follow', () => {
  const list = [
    '- North quay:',
    '  - with power',
    '  - with water',
    '    1. from April',
    '    2. all year',
    '- South quay',
  ];
  expect(markdownToSpeech(list.join('\n'), defaultStrings)).toBe(
    'North quay: with power; with water: 1. from April; 2. all year. South quay',
  );
});

test('names formulas instead of reading their source, also before their code is loaded', () => {
  const text = 'The area \\(\\pi r^2\\) of\n\n$$\n\\frac{a}{b}\n$$';
  const spoken = (): string => markdownToSpeech(text, defaultStrings);
  expect(spoken()).toBe('The area Formula of. Formula');
  extensions.formulas = formulaSyntax;
  expect(spoken()).toBe('The area Formula of. Formula');
  delete extensions.formulas;
  expect(markdownToSpeech('Press \\[Enter\\]; it costs $$5 or $$6', defaultStrings)).toBe(
    'Press [Enter]; it costs $$5 or $$6',
  );
});

test('marks without an end, and long runs of dots, take linear time', () => {
  const began = process.cpuUsage(); // other processes do not count
  for (const mark of ['\\[', '\\(', '$$ ']) markdownToSpeech(mark.repeat(tries(30_000)), defaultStrings);
  expect(endOfSentences(`${'.'.repeat(30_000)}x`, 0)).toBe(0);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(5_000);
  expect(endOfSentences('Well............ Yes', 0)).toBe(16);
});
