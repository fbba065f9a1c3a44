import { expect, test } from '@playwright/test';
import { cachedBlocks } from '../../src/markdown/markdown-stream.ts';
import { MarkdownStream, parseDocument } from '../../src/markdown/index.ts';
import { toHtml } from './nodes-to-html.ts';

const text = '# One\n\nTwo [three].\n\n- four\n- five\n\n```\nsix\n```\n\n[three]: https://example.com/';

test('the cache holds the blocks of the last complete text, and of no other', () => {
  const stream = new MarkdownStream();
  for (let end = 1; end < text.length; end += 7) stream.update(text.slice(0, end), { open: true });
  expect(cachedBlocks(text)).toBeUndefined();
  stream.update(text, { open: false });
  const kept = cachedBlocks(text);
  expect(toHtml(kept ?? [])).toBe(toHtml(parseDocument(text)));
  expect(cachedBlocks(`${text} `)).toBeUndefined();

  stream.update('Another', { open: false });
  expect(cachedBlocks(text)).toBeUndefined();
  expect(toHtml(kept ?? [])).toBe(toHtml(parseDocument(text)));
});
