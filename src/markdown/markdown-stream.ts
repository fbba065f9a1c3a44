import { BlockNodes } from './block-nodes.ts';
import { BlockStream } from './block-stream.ts';
import type { Block } from './nodes.ts';
import { TextInput } from './text-input.ts';

/** Options of an update. */
export interface UpdateOptions {
  /** Whether more text may follow. */
  readonly open: boolean;
  /** Whether to parse everything, whatever it costs. Default false. */
  readonly catchUp?: boolean;
}

/**
 * Parses Markdown while it is streamed. Closed blocks are committed: they are parsed only once. The result for a
 * complete text does not depend on the pieces in which it arrived.
 */
export class MarkdownStream {
  /** All blocks so far: the committed ones, then the open ones. Always the same array. */
  readonly blocks: Block[] = [];
  readonly #feed = new TextInput();
  #stream = new BlockStream();
  #nodes = new BlockNodes(this.#stream);
  /** Number of closed source blocks among `blocks`, and of their nodes. */
  #closed = 0;
  #committed = 0;

  /** Number of committed blocks. A committed block changes only when a link in it is defined later. */
  get committed(): number {
    return this.#committed;
  }

  /** Whether some text is not shown yet, to limit the work. An update with `catchUp` shows it. */
  get behind(): boolean {
    return this.#nodes.behind;
  }

  /**
   * Updates the blocks to a text.
   * @param text The whole text. Fast if it continues the previous one.
   * @returns the index of the first block that may have changed
   */
  update(text: string, options: UpdateOptions): number {
    const { open, catchUp = false } = options;
    const { ended } = this.#feed;
    const piece = this.#feed.append(text, open);
    if (piece === undefined) {
      this.reset();
      this.update(text, options);
      return 0;
    }
    if (piece === '' && (ended || (open && !(catchUp && this.behind)))) return this.blocks.length;
    const hasChanged = this.#stream.read(piece, open);
    this.#nodes.begin(catchUp);
    const first = this.#show(hasChanged);
    if (!open) cacheBlocks(text, this.blocks);
    return first;
  }

  /** Clears the state; the next update parses the whole text. */
  reset(): void {
    this.#feed.reset();
    this.#stream = new BlockStream();
    this.#nodes = new BlockNodes(this.#stream);
    this.blocks.length = this.#closed = this.#committed = 0;
  }

  /** Replaces changed entries of `blocks`. Returns the index of the first. */
  #show(committedHaveChanged: boolean): number {
    const { children } = this.#stream.parser.document;
    const { closed } = this.#stream;
    let first = (this.blocks.length = this.#committed);
    if (committedHaveChanged) {
      const again = this.#nodes.nodesOf(children.slice(0, this.#closed));
      again.forEach((block, index) => {
        if (block !== this.blocks[index]) first = Math.min(first, index);
        this.blocks[index] = block;
      });
    }
    for (const block of this.#nodes.nodesOf(children.slice(this.#closed, closed))) this.blocks.push(block);
    this.#closed = closed;
    this.#committed = this.blocks.length;
    for (const block of this.#nodes.nodesOf(children.slice(closed))) this.blocks.push(block);
    return first;
  }
}

let lastText = '';
let lastBlocks: readonly Block[] = [];

/** Caches the blocks of the last complete text, so that the next caller does not parse it again. */
function cacheBlocks(text: string, blocks: readonly Block[]): void {
  lastText = text;
  lastBlocks = [...blocks];
}

/** The cached blocks, if they are those of this text. */
export function cachedBlocks(text: string): readonly Block[] | undefined {
  return text === lastText ? lastBlocks : undefined;
}

/** Parses a complete text. */
export function parseDocument(text: string): readonly Block[] {
  const stream = new MarkdownStream();
  stream.update(text, { open: false });
  return stream.blocks;
}
