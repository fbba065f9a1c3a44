import { expect, test } from '@playwright/test';
import { MarkdownStream, parseDocument } from '../../src/markdown/index.ts';
import { toHtml } from './nodes-to-html.ts';

/* What models write that the standards do not answer, or answer so that readers see raw marks. */

const emphasis = [
  ['**重要：**です。**注意！**次に', '<strong>重要：</strong>です。<strong>注意！</strong>次に'],
  ['これは**「強調」**です', 'これは<strong>「強調」</strong>です'],
  ['**标题:**内容，**“引号”**的', '<strong>标题:</strong>内容，<strong>“引号”</strong>的'],
  ['**한국어(괄호)**는 *예.*입니다', '<strong>한국어(괄호)</strong>는 <em>예.</em>입니다'],
  ['~~取消（済）~~です', '<del>取消（済）</del>です'],
  ['价格5*3元，** 不是 **', '价格5*3元，** 不是 **'],
  // between letters of scripts with spaces all stays as CommonMark has it
  ['**Name:**value', '**Name:**value'],
] as const;

for (const [text, html] of emphasis) {
  test(`emphasis beside punctuation: ${text}`, () => {
    expect(toHtml(parseDocument(text)).trim()).toBe(`<p>${html}</p>`);
  });
}

test('an address ends at the punctuation of scripts without spaces', () => {
  const text =
    '詳しくはhttps://example.com/docs。公式（https://example.com/ja）と「https://example.com」、' +
    '“https://a.example/x”，https://zh.example/路径，www.example.com！';
  const addresses = [...toHtml(parseDocument(text)).matchAll(/<a href="([^"]*)">([^<]*)</g)];
  expect(addresses.map(([, href]) => href)).toEqual([
    'https://example.com/docs',
    'https://example.com/ja',
    'https://example.com',
    'https://a.example/x',
    'https://zh.example/%E8%B7%AF%E5%BE%84',
  ]);
});

test('an address ends before the Japanese word that follows it without a space', () => {
  const text =
    'https://example.com/berths?length=12をご覧ください。https://example.comから、www.example.comは' +
    'https://ja.example/wiki/富士の山';
  const links = [...toHtml(parseDocument(text)).matchAll(/<a href="([^"]*)">([^<]*)</g)];
  expect(links.map(([, , shown]) => shown)).toEqual([
    'https://example.com/berths?length=12',
    'https://example.com',
    'https://ja.example/wiki/富士の山',
  ]);
});

test('a <br> begins a new line, in a cell of a table too; every other tag is text', () => {
  expect(toHtml(parseDocument('| a |\n|---|\n| one<br>two<BR />three<br/> |'))).toContain(
    '<td>one<br />\ntwo<br />\nthree<br />\n</td>',
  );
  expect(toHtml(parseDocument('a<br class="x">b<hr>c `<br>`'))).toContain(
    'a&lt;br class=&quot;x&quot;&gt;b&lt;hr&gt;c <code>&lt;br&gt;</code>',
  );
});

test('no part of a <br> is seen while it comes', () => {
  const text = '| a |\n|---|\n| one<br />two |\n';
  const stream = new MarkdownStream();
  for (let length = 1; length <= text.length; length++) {
    stream.update(text.slice(0, length), { open: true });
    expect(toHtml(stream.blocks)).not.toContain('&lt;');
  }
});
