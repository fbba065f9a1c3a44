import { MarkdownStream } from './markdown-stream.ts';
import type { Block } from './nodes.ts';

/** Parses a complete text. */
export function parseDocument(text: string): readonly Block[] {
  const stream = new MarkdownStream();
  stream.update(text, { open: false });
  return stream.blocks;
}
