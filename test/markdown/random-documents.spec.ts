import { expect, test } from '@playwright/test';
import { loadEntities, MarkdownStream, parseDocument, type Inline } from '../../src/markdown/index.ts';
import { flat } from './flat-nodes.ts';
import { seeded } from '../tools/seeded.ts';
import { growingLengths } from './growing-lengths.ts';
import { tries } from '../tools/quick.ts';

/** What Markdown is made of, joined at random: most of it is nonsense, as it is while an answer comes. */
const fragments = [
  ...[
    'a',
    'word',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\t',
    '    ',
    '中',
    '“',
    '.',
    '\\',
    '|',
    '-',
    '1. ',
    '- ',
    '> ',
    '# ',
    '#',
  ],
  ...[
    '*',
    '**',
    '_',
    '~~',
    '`',
    '```\n',
    '~~~',
    '[',
    ']',
    '![',
    '](/b)',
    '](<b> "t")',
    '[a]: /b "t"\n',
    '[a]',
    '[a][a]',
  ],
  ...[
    '<b>',
    '<!--',
    '-->',
    '<br>',
    '<https://a.example>',
    'https://a.example/b',
    'a@b.example',
    '&amp;',
    '&copy',
    '&#35;',
  ],
  ...['| a | b |\n|---|---|\n| c | d |\n', '---', '===', '- [x] ', '2) ', '\r\n', '\0', '😀'],
];

function randomDocument(random: () => number): string {
  const length = 3 + Math.floor(random() * 25);
  return Array.from({ length }, () => fragments[Math.floor(random() * fragments.length)] ?? '').join('');
}

test.beforeAll(() => loadEntities());

test('a text split anywhere gives the blocks of the whole text', () => {
  const random = seeded(20).next;
  const faults: { text: string; got: unknown; want: unknown }[] = [];
  for (let round = 0; round < tries(1500); round++) {
    const text = randomDocument(random);
    const stream = new MarkdownStream();
    for (const length of growingLengths(text.length, round % 2 === 0 ? 1 : 12, random))
      stream.update(text.slice(0, length), { open: true });
    stream.update(text, { open: false });
    const [got, want] = [flat(stream.blocks), flat(parseDocument(text))];
    if (JSON.stringify(got) !== JSON.stringify(want)) faults.push({ text, got, want });
  }
  expect(faults.slice(0, 3)).toEqual([]);
});

/** How deep spans are nested in each other. */
function depthOf(nodes: readonly Inline[]): number {
  return nodes.reduce(
    (deepest, node) => Math.max(deepest, 'children' in node ? 1 + depthOf(node.children) : 0),
    0,
  );
}

test('quotes and emphasis are nested a hundred levels deep at most', () => {
  let depth = 0;
  let [block] = parseDocument(`${'> '.repeat(2000)}a`);
  for (; block?.kind === 'quote'; [block] = block.children) depth++;
  expect(depth).toBe(100);

  for (const text of [`${'*a **b '.repeat(3000)}c`, `${'*a '.repeat(3000)}${'a* '.repeat(3000)}`]) {
    const stream = new MarkdownStream();
    stream.update(text, { open: true, catchUp: true });
    const [paragraph] = stream.blocks;
    expect(paragraph?.kind === 'paragraph' && depthOf(paragraph.rest)).toBe(100);
  }
});
