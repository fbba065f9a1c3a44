import { expect, test } from '@playwright/test';
import { loadEntities, MarkdownStream, parseDocument, type Block } from '../../src/markdown/index.ts';
import { corpus } from '../tools/corpora.ts';
import { flat } from './flat-nodes.ts';
import { seeded } from '../tools/seeded.ts';
import { growingLengths } from './growing-lengths.ts';
import { samples } from './samples.ts';
import { isQuick, sample, tries } from '../tools/quick.ts';

const corpora = ['commonmark', 'gfm'].flatMap((name) => corpus<{ markdown: string }>(name)?.cases ?? []);
const examples = [...samples, ...corpora.map(({ markdown }) => markdown)];

test.beforeAll(() => loadEntities());

/** Streams a text in pieces and says what went wrong, if anything. */
function fault(text: string, longest: number, seed: number): string | undefined {
  const stream = new MarkdownStream();
  const kept: Block[] = [];
  const changesByDefinition = /^ {0,3}(?:[-*+>]|\d+[.)])?.*\[[^\]]+\]:/m.test(text);
  for (const length of growingLengths(text.length, longest, seeded(seed).next)) {
    stream.update(text.slice(0, length), { open: true });
    if (stream.committed < kept.length) return 'a committed block was taken back';
    for (const [index, block] of stream.blocks.slice(0, stream.committed).entries()) {
      if (kept[index] && kept[index] !== block && !changesByDefinition)
        return 'a committed block was replaced';
      kept[index] = block;
    }
  }
  stream.update(text, { open: false });
  const got = JSON.stringify(flat(stream.blocks));
  const want = JSON.stringify(flat(parseDocument(text)));
  return got === want ? undefined : `${got}\n instead of\n${want}`;
}

for (const longest of isQuick ? [1, 16] : [1, 3, 7, 16, 60]) {
  test(`every example streamed in pieces of up to ${longest} characters gives the blocks of a whole parse`, () => {
    const faults = sample(examples)
      .map((text) => ({ text, fault: fault(text, longest, longest) }))
      .filter((entry) => entry.fault);
    expect(faults.length, JSON.stringify(faults.slice(0, 3), null, 1)).toBe(0);
  });
}

test('joined documents streamed in random pieces give the blocks of a whole parse', () => {
  const random = seeded(7).next;
  const faults: unknown[] = [];
  for (let round = 0; round < tries(300); round++) {
    const parts = Array.from(
      { length: 2 + Math.floor(random() * 8) },
      () => examples[Math.floor(random() * examples.length)] ?? '',
    );
    const text = parts.join(random() < 0.5 ? '\n' : '\n\n');
    const found = fault(text, 1 + Math.floor(random() * 40), round);
    if (found) faults.push({ text, found });
  }
  expect(faults.length, JSON.stringify(faults.slice(0, 2), null, 1)).toBe(0);
});

/** Everything a reader sees of the blocks, in one line. */
function seen(blocks: readonly Block[]): string {
  const texts = JSON.stringify(flat(blocks)).matchAll(/"text":("(?:[^"\\]|\\.)*")/g);
  // what stands between quotes is JSON's own
  return [...texts].map(([, text]) => JSON.parse(text ?? '""') as string).join('');
}

const tables = {
  'alone, with marks in its cells':
    '| **Name** | *b* |\n|:--|--:|\n| **1** `x` | [c](https://c.example) |\n| ~~2~~ | 3 |\n',
  'in a list': '1. One\n\n   | **Name** | b |\n   |---|---|\n   | `1` | 2 |\n\n2. Two\n',
  'in a quote': '> | a | b |\n> |---|---|\n> | **1** | 2 |\n',
  'that is code in a list': '- q\n  ```\n  | a | b |\n  |---|---|\n  ```\n- done\n',
  'after text, with Windows line ends': 'See:\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n',
};

for (const [place, text] of Object.entries(tables)) {
  test(`a table ${place} shows no mark of its making while it comes character by character`, () => {
    const stream = new MarkdownStream();
    const whole = seen(parseDocument(text));
    for (let length = 1; length < text.length; length++) {
      stream.update(text.slice(0, length), { open: true });
      const shown = seen(stream.blocks);
      expect(whole.startsWith(shown.trimEnd()), `${text.slice(0, length)}\nshows ${shown}`).toBe(true);
    }
  });
}

for (const [name, mark] of [
  ['accents', '\u0301'],
  ['marks of two code units', '\u{1d165}'],
] as const) {
  test(`a pile of ${name} is laid out up to thirty of them, in whatever pieces it comes`, () => {
    const text = `He\r\u0301 ${'a'.padEnd(3)}${mark.repeat(100)}b, ${mark.repeat(12)}\n\n\`\`\`\nc${mark.repeat(500)}\n\`\`\`\n`;
    for (const longest of [1, 2, 7, 45, 1000]) expect(fault(text, longest, longest)).toBeUndefined();
    const piles = seen(parseDocument(text)).match(/\p{M}+/gu) ?? [];
    expect(piles.map((pile) => [...pile].length)).toEqual([1, 30, 12, 30]);
  });
}
