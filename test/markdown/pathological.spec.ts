import { expect, test } from '@playwright/test';
import { MarkdownStream, parseDocument } from '../../src/markdown/index.ts';
import { takeWork } from '../../src/markdown/work-counter.ts';
import { corpus } from '../tools/corpora.ts';
import { isQuick, sample } from '../tools/quick.ts';
import { flat } from './flat-nodes.ts';

interface Pathological {
  readonly name: string;
  readonly parts: readonly { readonly text?: string; readonly times?: number }[];
}

/** Our own inputs; each has a shape that made some parser slow or crash. */
const own: readonly Pathological[] = [
  ['nested emphasis', '*a **a '],
  ['unclosed links', '[a](<b'],
  ['closed brackets', 'a]'],
  ['open brackets', '[a'],
  ['nested quotes', '> '],
  ['backtick runs', 'e`'],
  ['open images', '![a'],
  ['unclosed comments', '<!-- a '],
  ['entities', '&ouml'],
  ['dashes', '- '],
  ['addresses', 'http://a.example/(b'],
  ['mail addresses', 'a@b.'],
  ['definitions', '[a]: /b\n'],
  ['table rows', '| a | b\n'],
  ['setext candidates', 'a\n- b\n'],
  ['tildes', '~~a ~b '],
  ['spaces', '    \n'],
  ['addresses after another', ' http://a'],
  ['addresses in parentheses', '(http://a.example/'],
  ['unclosed declarations', '<!a '],
  ['unclosed destinations', '[a](b('],
  ['unclosed titles', '[a](b (c'],
  ['fences of backticks', '```````` `'],
  ['references', '[a]['],
].map(([name = '', text = '']) => ({ name, parts: [{ text, times: 4000 }] }));
const cases = [...own, ...(corpus<Pathological>('markdown-pathological')?.cases ?? [])];

/** The input, with only a share of the repetitions of each part. */
function input({ parts }: Pathological, share: number): string {
  return parts
    .map(({ text = '', times = 1 }) => text.repeat(Math.max(1, Math.round(times * share))))
    .join('');
}

function stream(text: string, piece: number): { readonly steps: number; readonly blocks: unknown } {
  takeWork();
  const markdown = new MarkdownStream();
  for (let at = piece; at < text.length; at += piece) markdown.update(text.slice(0, at), { open: true });
  markdown.update(text, { open: false });
  return { steps: takeWork(), blocks: flat(markdown.blocks) };
}

for (const hard of sample(cases)) {
  test(`${hard.name}: parsing ends, and in pieces the work is linear`, () => {
    parseDocument(input(hard, 1));
    const share = Math.min(1, 16_000 / input(hard, 1).length);
    const text = input(hard, share);
    const piece = Math.max(16, Math.ceil(text.length / 32));
    const { steps, blocks } = stream(text, piece);
    expect(JSON.stringify(blocks) === JSON.stringify(flat(parseDocument(text)))).toBe(true);
    // at most three passes over the whole text for each of the 32 pieces
    expect(steps).toBeLessThan(text.length * 32 * 3 + 10_000);
  });
}

for (const [name, make] of Object.entries({
  'one giant paragraph': (size: number) =>
    'The **harbour** office [answers](/a) `every` day. '.repeat(size / 50),
  'one giant fence': (size: number) => `\`\`\`js\n${'const a = "some text";\n'.repeat(size / 23)}`,
  'one giant list': (size: number) => '- an item with **some** text\n'.repeat(size / 29),
  'one giant table': (size: number) => `| a | b |\n|---|---|\n${'| some | text |\n'.repeat(size / 16)}`,
  'mixed text': (size: number) =>
    '## Title\n\nSome text with *marks*.\n\n- a\n- b\n\n```\ncode\n```\n\n'.repeat(size / 60),
})) {
  test(`the work for ${name} is linear`, () => {
    const growth = isQuick ? 4 : 16;
    const small = stream(make(8_000), 16).steps;
    const large = stream(make(8_000 * growth), 16).steps;
    expect(Math.log(large / small) / Math.log(growth)).toBeLessThan(1.05);
  });
}

test('a wide table with many short rows: the cells that they lack are not parsed', () => {
  const [table] = parseDocument('|a|b|c|\n|-|-|-|\n|1|\n|2|\n');
  if (table?.kind !== 'table') throw new Error('no table');
  const lacking = table.rows.flatMap((row) => row.slice(1));
  expect(lacking).toHaveLength(4);
  expect(new Set(lacking).size).toBe(1);
});
