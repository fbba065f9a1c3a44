import { expect, test } from '@playwright/test';
import {
  extensions,
  loadEntities,
  MarkdownStream,
  parseDocument,
  type Block,
} from '../../src/markdown/index.ts';
import { formulaSyntax, readFormula } from '../../src/markdown/formulas.ts';
import { takeWork } from '../../src/markdown/work-counter.ts';
import { corpus } from '../tools/corpora.ts';
import { expectSame } from '../tools/expect-same.ts';
import { isQuick, sample } from '../tools/quick.ts';
import { flat } from './flat-nodes.ts';
import { toHtml } from './nodes-to-html.ts';
import { seeded } from '../tools/seeded.ts';
import { growingLengths } from './growing-lengths.ts';
import { samples } from './samples.ts';

test.beforeAll(async () => {
  await loadEntities();
  extensions.formulas = formulaSyntax;
});
test.afterAll(() => {
  delete extensions.formulas;
});

const html = (markdown: string): string => toHtml(parseDocument(markdown));
const formulas = (markdown: string): string[] =>
  [...html(markdown).matchAll(/<math(?: display="block")?>([^]*?)<\/math>/g)].map(
    ([, source]) => source ?? '',
  );

test('formulas between \\( and \\) are found in text, headings, lists, tables and emphasis', () => {
  expect(html('The area is \\(\\pi r^2\\), **always \\(x_1 * y_1\\)**.')).toBe(
    '<p>The area is <math>\\(\\pi r^2\\)</math>, <strong>always <math>\\(x_1 * y_1\\)</math></strong>.</p>\n',
  );
  expect(
    formulas(
      '# Of \\(n\\)\n\n- \\(a_i\\) and\n- \\(b_i\\)\n\n| \\(x\\) | y |\n|--|--|\n| \\(x^2\\) | $$y^2$$ |\n',
    ),
  ).toEqual(['\\(n\\)', '\\(a_i\\)', '\\(b_i\\)', '\\(x\\)', '\\(x^2\\)', '$$y^2$$']);
});

test('formulas of their own are blocks, also right after text, in lists and in quotes', () => {
  const markdown =
    'So:\n\\[\na^2\n- b\n= c\n\\]\nand\n\n$$\n\\frac{a}{b}\n$$\n\n1. One\n   \\[ x = 1 \\]\n\n> $$E = mc^2$$\n';
  expect(formulas(markdown)).toEqual([
    '\\[\na^2\n- b\n= c\n\\]',
    '$$\n\\frac{a}{b}\n$$',
    '\\[ x = 1 \\]',
    '$$E = mc^2$$',
  ]);
  expect(html(markdown)).not.toContain('<li>b');
});

test('a display formula inside a line stays in its paragraph', () => {
  expect(html('$$a = b$$ is true, as is \\[c^2\\].')).toBe(
    '<p><math>$$a = b$$</math> is true, as is <math>\\[c^2\\]</math>.</p>\n',
  );
});

const untouched = {
  prices: 'It costs $5 or $10, not $$, and in total $15.00.',
  'levels of prices': 'Cheap ($), moderate ($$), expensive ($$$), or $$ to $$$; $$ here, $$ there.',
  'a line that begins with a level': '$$ is moderate\n\n$$$ is not\n\n- $$: moderate\n- $$$$: a lot',
  'escaped brackets': 'See \\[1\\] and \\[sic\\], \\[foo\\](/bar), \\(see below\\), \\[x\\].',
  'code in text': 'Write `\\(x^2\\)` or `$$x^2$$` or ``\\[x^2\\]``.',
  'a block of code': '```tex\n\\[ x^2 \\]\n$$y$$\n```\n\n    $$x^2$$\n',
  'nothing between the marks': '\\(\\) \\[\\] $$$$ $$ $$ \\( \\)',
  'escaped dollars': '\\$\\$x^2\\$\\$',
  'an escaped backslash': '\\\\(x^2\\\\)',
};
for (const [name, markdown] of Object.entries(untouched)) {
  test(`${name}: no mathematics`, () => {
    const withFormulas = html(markdown);
    delete extensions.formulas;
    const without = html(markdown);
    extensions.formulas = formulaSyntax;
    expect(withFormulas).toBe(without);
  });
}

test('a block without an end stops at a blank line and keeps its source', () => {
  expect(html('$$\na_1 *b*\n\nText *after*.')).toBe(
    '<math display="block">$$\na_1 *b*</math>\n<p>Text <em>after</em>.</p>\n',
  );
  expect(readFormula('$$\na_1 *b*')).toBeUndefined();
  expect(readFormula('\\[ x \\], ')).toEqual({ tex: 'x,', isDisplay: true });
});

test('every example of CommonMark and of GitHub parses as without mathematics', () => {
  const cases = ['commonmark', 'gfm'].flatMap((name) => corpus<{ markdown: string }>(name)?.cases ?? []);
  test.skip(cases.length === 0, 'skipped: ../shared/corpora is not there');
  const wrong = sample(cases).filter(({ markdown }) => {
    const withFormulas = html(markdown);
    delete extensions.formulas;
    const without = html(markdown);
    extensions.formulas = formulaSyntax;
    return withFormulas !== without;
  });
  expect(wrong).toEqual([]);
});

const answers = [
  'The roots of \\(ax^2 + bx + c = 0\\) are\n\\[\nx = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n\\]\nif \\(a \\neq 0\\).\n',
  `${'word and \\(x_1\\) '.repeat(80)}$$a_1 = b$$ and $$ for a meal, not $$$. \\[ y \\]\n`,
  `${'word '.repeat(60)}\\(never closed ${'word '.repeat(60)}= x ${'*word* '.repeat(300)}\\) end\n`,
  `${'word '.repeat(60)}$$ for a meal ${'*word* '.repeat(60)}= x$$$ and ${'word '.repeat(60)}$$ end\n`,
  '1. One:\n   $$\n   a &= b \\\\\n   - c &= d\n   $$\n2. Two\n\n$$\nnever\n\nclosed\n',
  '$$a$$\n$$b$$ and\n\n\\[c\\\\[2pt] d\\]\n\n\\[e\\] f\n',
];

/** Streams a text in pieces. */
function streamed(text: string, longest: number, seed: number): readonly Block[] {
  const stream = new MarkdownStream();
  for (const length of growingLengths(text.length, longest, seeded(seed).next))
    stream.update(text.slice(0, length), { open: true });
  stream.update(text, { open: false });
  return stream.blocks;
}

for (const longest of isQuick ? [40] : [1, 5, 40]) {
  test(`formulas in pieces of up to ${longest} characters give the blocks of a whole parse`, () => {
    // one after another too, but not character by character: of those, each is a new parse of all of the last block
    const together = longest === 1 ? [] : [answers.join('\n')];
    for (const [seed, text] of [...answers, ...samples, ...together].entries())
      expectSame(flat(streamed(text, longest, seed)), flat(parseDocument(text)));
  });
}

test('a formula that is still coming is its source', () => {
  const stream = new MarkdownStream();
  const text = 'So \\(a_1 *b* + c^2';
  for (let length = 'So \\(a'.length; length <= text.length; length++) {
    stream.update(text.slice(0, length), { open: true });
    const shown = toHtml(stream.blocks).trim();
    expect(`<p>${text}</p>`.startsWith(shown.replace('</p>', ''))).toBe(true);
  }
  stream.update(`${text}\\)`, { open: true });
  expect(toHtml(stream.blocks)).toBe(`<p>So <math>${text.slice(3)}\\)</math></p>\n`);
});

/** Characters processed for a text that comes in pieces. */
function workFor(text: string, piece: number): number {
  takeWork();
  const stream = new MarkdownStream();
  for (let at = piece; at < text.length; at += piece) stream.update(text.slice(0, at), { open: true });
  stream.update(text, { open: false });
  return takeWork();
}

for (const [name, part] of Object.entries({
  openings: '\\(a ',
  'openings of blocks': '\\[ a\n',
  dollars: '$$a= ',
  'pairs of dollars': '$$ a $$ b ',
  'formulas in one line': '\\(a_1\\) ',
  'closing marks': '\\) ',
})) {
  test(`many ${name}: parsing ends, and in pieces the work is linear`, () => {
    parseDocument(part.repeat(20_000));
    const text = part.repeat((isQuick ? 4_000 : 16_000) / part.length);
    expect(flat(streamed(text, 500, 1))).toEqual(flat(parseDocument(text)));
    // at most three passes over the whole text for each of the pieces
    expect(workFor(text, 500)).toBeLessThan(text.length * (text.length / 500) * 3 + 10_000);
  });
}

test('the work for one giant paragraph with formulas is linear', () => {
  const part = 'The area \\(x_1\\) is **larger** than $5, and $$a^2$$ too. ';
  const small = workFor(part.repeat(150), 16);
  const growth = isQuick ? 4 : 16;
  const large = workFor(part.repeat(150 * growth), 16);
  expect(Math.log(large / small) / Math.log(growth)).toBeLessThan(1.05);
});

test('spaces after a delimiter take linear time', () => {
  const spaces = ' '.repeat(100_000);
  const start = performance.now();
  parseDocument(`$$x^2\na $$${spaces}b\n\\]${spaces}b\n$$\n\n\\[x^2\na \\]${spaces}b\n\\]`);
  expect(readFormula(`\\(a\\)${spaces}b`)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(2_000);
});
