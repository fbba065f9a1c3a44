import { expect, test } from '@playwright/test';
import { misnamedTools, titleOf } from '../../../src/service/tools/tool-names.ts';
import { readToolSettings } from '../../../src/service/tools/tool-settings.ts';

const noteOf = (members: object, names = ['book', 'find_berths']): string | undefined => {
  const entry = { mcp_servers: [{ name: 'berths', command: 'x', ...members }] };
  const { servers } = readToolSettings(entry, { directory: '/', variable: () => '', playground: false });
  return misnamedTools(servers[0]!, names);
};

test('names that a tool of the server has are not reported', () => {
  expect(noteOf({})).toBeUndefined();
  expect(
    noteOf({ include: ['find_*', 'book'], approve_tools: { book: 'always' }, titles: { book: 'Book' } }),
  ).toBeUndefined();
});

test('a name that no tool has is reported, with the names that exist', () => {
  expect(
    noteOf({ include: ['bok', 'find_*'], approve_tools: { bok: 'always' }, titles: { Book: 'B' } }),
  ).toBe(
    'the MCP server "berths" has no such tool: "include" names bok; "approve_tools" names bok; "titles" names Book. It has book, find_berths',
  );
  expect(noteOf({ include: ['*'] }, [])).toContain('It has none');
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
