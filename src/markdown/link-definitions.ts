import { blockNode } from './block-nodes.ts';
import { createReferences, type References } from './environment.ts';
import { parseInline } from './inline-nodes.ts';
import type { Block } from './nodes.ts';
import { ParsedTail } from './parsed-tail.ts';

/** The link definitions of committed text, and the committed blocks that one of them may still change. */
export class LinkDefinitions {
  readonly references: References = createReferences();
  /** Sources of blocks with brackets, by index. */
  readonly #sources = new Map<number, string>();

  /** Remembers a committed block, when a definition could change it. */
  watch(index: number, block: Block, source: string): void {
    if (block.kind === 'code' || block.kind === 'rule' || block.kind === 'raw') return;
    if (source.includes('[')) this.#sources.set(index, source);
  }

  /**
   * Adds definitions; the first of a label wins.
   * @returns Those labels that are new.
   */
  define(labels: readonly string[], found: References): readonly string[] {
    const fresh: string[] = [];
    for (const label of labels) {
      const definition = found[label];
      if (!definition || this.references[label]) continue;
      this.references[label] = definition;
      fresh.push(label);
    }
    return fresh;
  }

  /** Parses the committed blocks again that use one of the labels. */
  *resolve(labels: readonly string[]): Generator<readonly [index: number, block: Block]> {
    for (const [index, source] of this.#sources) {
      if (!mentions(source, labels)) continue;
      const references = createReferences(this.references);
      const environment = { references, open: false };
      const parsed = new ParsedTail(source, environment);
      const block = parsed.blocks[0];
      if (!block) continue;
      yield [index, blockNode(parsed.tokens, block.from, ({ content }) => parseInline(content, environment))];
    }
  }
}

/** Whether a source holds one of the labels, as labels are compared. */
export function mentions(source: string, labels: readonly string[]): boolean {
  const text = source.replace(/\s+/g, ' ').toLowerCase().toUpperCase();
  return labels.some((label) => text.includes(label));
}
