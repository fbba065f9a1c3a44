import MiniSearch from 'minisearch';
import { expect, test } from '@playwright/test';
import { indexOptions, searchDocuments } from '../../demo/site/search-documents.ts';
import { readPages } from '../tools/docs-site/pages.ts';
import { renderMarkdown } from '../tools/docs-site/render-markdown.ts';
import { searchIndex } from '../tools/docs-site/search-index.ts';

let index: MiniSearch;
// here, not at the top: Playwright loads this file once more, only to list its tests
test.beforeAll(() => {
  const pages = readPages().map((page) => ({ page, result: renderMarkdown(page.source, page.folder) }));
  index = MiniSearch.loadJSON(searchIndex(pages), indexOptions);
});
const search = (query: string): string[] => searchDocuments(index, query).map(({ address }) => address);

for (const [query, page] of [
  ['csp', 'security.html'],
  ['gdpr', 'privacy.html'],
  ['erase', 'privacy.html'],
  ['sso', 'token-endpoint.html'],
  ['hide launcher', 'recipes.html'],
  ['dark mode', 'style.html'],
  ['change colour', 'style.html'],
  ['recording', 'recipes.html'],
] as const) {
  test(`a search for “${query}” begins with ${page}`, () => {
    expect(search(query)[0]?.split('#')[0]).toBe(page);
  });
}

test('what the changelog says comes after everything else', () => {
  const places = search('colour').map((address) => address.startsWith('changelog.html'));
  expect(places).toEqual([...places].sort());
  expect(search('colour')[0]).not.toContain('changelog');
});
