import { blockNode, endOfBlock } from './block-nodes.ts';
import { createReferences, type Environment } from './environment.ts';
import { parseInline } from './inline-nodes.ts';
import type { Block } from './nodes.ts';
import { parseBlocks } from './parser.ts';
import { normaliseText } from './text-feed.ts';

/** Parses a whole text at once. */
export function parseDocument(text: string): readonly Block[] {
  const environment: Environment = { references: createReferences(), open: false };
  const tokens = parseBlocks(normaliseText(text), environment);
  const blocks: Block[] = [];
  for (let at = 0; at < tokens.length; at = endOfBlock(tokens, at)) {
    if (tokens[at]?.type === 'reference_definition') continue;
    blocks.push(blockNode(tokens, at, ({ content }) => parseInline(content, environment)));
  }
  return blocks;
}
