import { expect, test } from '@playwright/test';
import { grammars } from '../../../../src/widget/markdown/code/grammars.ts';
import { highlight, type Segment } from '../../../../src/widget/markdown/code/highlight.ts';
import { sample } from '../../../tools/quick.ts';

const samples: Readonly<Record<string, readonly [code: string, coloured: Readonly<Record<string, string>>]>> =
  {
    js: [
      'const a = f("x//y", 12.5) /* z */ // end\nreturn a.replace(/[/"]+/g, `b\n${c}`)',
      {
        const: 'keyword',
        f: 'name',
        '"x//y"': 'string',
        '12.5': 'number',
        '/* z */': 'comment',
        '// end': 'comment',
        '/[/"]+/g': 'string',
        '`b\n${c}`': 'string',
      },
    ],
    ts: [
      'interface A { readonly b: string }',
      { interface: 'keyword', readonly: 'keyword', string: 'keyword' },
    ],
    py: [
      "@wraps\ndef f(x):\n  '''a\n  b'''\n  return f'{x}' # c",
      { '@wraps': 'name', def: 'keyword', f: 'name', "'''a\n  b'''": 'string', '# c': 'comment' },
    ],
    bash: ['npm run "$x" --silent # now', { '"$x"': 'string', '--silent': 'number', '# now': 'comment' }],
    sql: [
      "SELECT a FROM b WHERE c = 'it''s' -- d",
      { SELECT: 'keyword', FROM: 'keyword', "'it''s'": 'string', '-- d': 'comment' },
    ],
    json: ['{"a": ["b", 1, true]}', { '"a"': 'name', '"b"': 'string', '1': 'number', true: 'keyword' }],
    yaml: ['a: true # b\nc: "d"', { a: 'name', true: 'keyword', '# b': 'comment', '"d"': 'string' }],
    css: ['.a b {\n  color: #fff;\n}', { '.a': 'keyword', b: 'keyword', color: 'name', '#fff': 'number' }],
    html: [
      '<!-- a --><p class="b">c &amp; d</p>',
      {
        '<!-- a -->': 'comment',
        '<p': 'keyword',
        class: 'name',
        '"b"': 'string',
        '&amp;': 'number',
        '</p': 'keyword',
      },
    ],
    diff: ['@@ -1 +1 @@\n-a\n+b\n c', { '@@ -1 +1 @@': 'name', '-a': 'removed', '+b': 'added' }],
    rust: [
      '#[test]\nfn f<\'a>(s: &\'a str) { println!("{s}") }',
      { '#[test]': 'name', fn: 'keyword', 'println!': 'name', '"{s}"': 'string' },
    ],
    go: ['func f() { s := `a\nb` }', { func: 'keyword', f: 'name', '`a\nb`': 'string' }],
  };

for (const [language, [code, coloured]] of Object.entries(samples)) {
  test(`code in ${language} is highlighted by its tokens`, () => {
    const segments = highlight(code, language) ?? [];
    const found = Object.fromEntries(segments.map(({ text, colour }) => [text, colour]));
    expect(found).toMatchObject(coloured);
  });
}

test('highlighting keeps every character in its place', () => {
  const marks = ['"', "'", '`', '/*', '<!--', '"""', '\\', '\n', '🦊', ' '];
  const pieces = [...Object.values(samples).map(([code]) => code), ...marks];
  const wrong: string[] = [];
  for (const language of Object.keys(grammars)) {
    for (const first of pieces) {
      for (const second of pieces) {
        const code = first + second + first;
        if (textOf(highlight(code, language)) !== code) wrong.push(`${language}: ${code}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('code of the greatest length is highlighted, whatever it contains', () => {
  const units = `a|a-|"|'|\`|/|=/a|/*|<|<a |{|#[|r#"|--|- |0x|1e|$| |[|\\|:|a=|a:`.split('|');
  const wrong: string[] = [];
  for (const language of Object.keys(grammars)) {
    for (const unit of sample(units)) {
      const code = unit.repeat(20_000 / unit.length);
      if (textOf(highlight(code, language)) !== code) wrong.push(`${language}: ${unit}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('an unknown language stays plain', () => {
  expect(highlight('a', 'nothing')).toBeUndefined();
  expect(highlight('a', 'constructor')).toBeUndefined();
});

function textOf(segments: readonly Segment[] | undefined): string | undefined {
  return segments?.map(({ text }) => text).join('');
}
