import { expect, test } from '@playwright/test';
import MarkdownIt from 'markdown-it';
import { loadEntities, parseDocument } from '../../src/markdown/index.ts';
import { expectSame } from '../tools/expect-same.ts';
import { corpus } from '../tools/corpora.ts';
import { escape, normalizeHtml, toHtml } from './nodes-to-html.ts';

interface Example {
  readonly name: string;
  readonly markdown: string;
  readonly html: string;
  readonly extension?: string;
}

const commonmark = corpus<Example>('commonmark');
const gfm = corpus<Example>('gfm');

/*
 * The mapping of raw HTML to text, in this one place: the reference parser with its raw HTML written as text. That it
 * changes nothing else is checked against the expected results as they are.
 */
const reference = new MarkdownIt('commonmark');
const mapped = new MarkdownIt('commonmark');
mapped.renderer.rules['html_block'] = (tokens, index) =>
  `${escape((tokens[index]?.content ?? '').replace(/\n+$/, ''))}\n`;
mapped.renderer.rules['html_inline'] = (tokens, index) => escape(tokens[index]?.content ?? '');

/* Two examples show that a bare address is no link by the core rules alone; by GitHub's it is one. */
const bareAddresses: Readonly<Record<string, string>> = {
  '< https://foo.bar >\n': '<p>&lt; <a href="https://foo.bar">https://foo.bar</a> &gt;</p>\n',
  'foo@bar.example.com\n': '<p><a href="mailto:foo@bar.example.com">foo@bar.example.com</a></p>\n',
};
const expected = (markdown: string): string => bareAddresses[markdown] ?? mapped.render(markdown);

test.beforeAll(() => loadEntities());

test('every CommonMark example parses as expected, raw HTML as text', () => {
  test.skip(!commonmark, 'skipped: ../shared/corpora is not there');
  const wrong = (commonmark?.cases ?? []).filter(
    ({ markdown }) => normalizeHtml(toHtml(parseDocument(markdown))) !== normalizeHtml(expected(markdown)),
  );
  expect(
    wrong.map(({ name, markdown }) => ({
      name,
      markdown,
      got: toHtml(parseDocument(markdown)),
      want: expected(markdown),
    })),
  ).toEqual([]);
  expect(commonmark?.cases.length).toBe(420);
});

test('the mapping of raw HTML leaves every other example as the corpus has it', () => {
  test.skip(!commonmark, 'skipped: ../shared/corpora is not there');
  let changed = 0;
  for (const { markdown, html } of commonmark?.cases ?? []) {
    expectSame(normalizeHtml(reference.render(markdown)), normalizeHtml(html));
    if (mapped.render(markdown) !== reference.render(markdown)) changed++;
  }
  expect(changed).toBeGreaterThan(40);
  expect(changed).toBeLessThan(70);
});

test('every GitHub example but footnotes and the tag filter parses as expected', () => {
  test.skip(!gfm, 'skipped: ../shared/corpora is not there');
  const cases = (gfm?.cases ?? []).filter(({ name }) => !/footnote|tagfilter|disallowed-raw/.test(name));
  const wrong = cases.filter(({ markdown, html }) => {
    const raw = html.replace(/<strong>hello<\/strong>/g, (tag) => escape(tag));
    const want = markdown.includes('<strong>') ? raw : html;
    return normalizeHtml(toHtml(parseDocument(markdown))) !== normalizeHtml(want);
  });
  expect(
    wrong.map(({ name, markdown, html }) => ({ name, markdown, html, got: toHtml(parseDocument(markdown)) })),
  ).toEqual([]);
  expect(cases.length).toBeGreaterThanOrEqual(26);
});
