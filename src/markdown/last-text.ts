import type { Block } from './nodes.ts';

let lastText = '';
let lastBlocks: readonly Block[] = [];

/** Keeps what the text that was last read to its end was made of, so that who needs it next need not parse it again. */
export function keepBlocks(text: string, blocks: readonly Block[]): void {
  lastText = text;
  lastBlocks = [...blocks];
}

/** The blocks of a text, if it was the last that was read to its end. */
export function keptBlocks(text: string): readonly Block[] | undefined {
  return text === lastText ? lastBlocks : undefined;
}
