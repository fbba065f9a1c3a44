import { expect, test } from '@playwright/test';
import { misnamedTools, titleOf } from '../../../src/service/tools/tool-names.ts';
import { readToolSettings } from '../../../src/service/tools/tool-settings.ts';

const note = (members: object, names = ['book', 'find_berths']): string | undefined => {
  const entry = { mcp_servers: [{ name: 'berths', command: 'x', ...members }] };
  const { servers } = readToolSettings(entry, { directory: '/', variable: () => '', playground: false });
  return misnamedTools(servers[0]!, names);
};

test('names that a tool of the server has are no fault', () => {
  expect(note({})).toBeUndefined();
  expect(
    note({ include: ['find_*', 'book'], approve_tools: { book: 'always' }, titles: { book: 'Book' } }),
  ).toBe(undefined);
});

test('a name that no tool has is told, with the names that there are', () => {
  expect(note({ include: ['bok', 'find_*'], approve_tools: { bok: 'always' }, titles: { Book: 'B' } })).toBe(
    'the MCP server "berths" has no such tool: "include" names bok; "approve_tools" names bok; "titles" names Book. It has book, find_berths',
  );
  expect(note({ include: ['*'] }, [])).toContain('It has none');
});

test('the name of a function is spelled out for visitors, and text stays', () => {
  const titles = [
    'find_berth',
    'findBerth',
    'harbour:find-berth',
    'web_search',
    'Ask Bob first',
    ' ',
    'FIND_BERTH',
  ];
  expect(titles.map(titleOf)).toEqual([
    'Find berth',
    'Find berth',
    'Harbour find berth',
    'Web search',
    'Ask Bob first',
    '',
    'Find berth',
  ]);
});
