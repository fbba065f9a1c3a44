import type { Block } from './nodes.ts';

let lastText = '';
let lastBlocks: readonly Block[] = [];

/** Caches the blocks of the last complete text, so that the next caller does not parse it again. */
export function cacheBlocks(text: string, blocks: readonly Block[]): void {
  lastText = text;
  lastBlocks = [...blocks];
}

/** The cached blocks, if they are those of this text. */
export function cachedBlocks(text: string): readonly Block[] | undefined {
  return text === lastText ? lastBlocks : undefined;
}
