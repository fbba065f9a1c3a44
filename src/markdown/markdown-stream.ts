import { BlockNodes } from './block-nodes.ts';
import { BlockStream } from './block-stream.ts';
import { keepBlocks } from './last-text.ts';
import type { Block } from './nodes.ts';
import { TextFeed } from './text-feed.ts';

/** How a stream takes a text. */
export interface UpdateOptions {
  /** More may follow. */
  readonly open: boolean;
  /** Leave nothing behind, whatever it costs. Default false. */
  readonly catchUp?: boolean;
}

/**
 * Markdown that grows. Closed blocks are committed: parsed once and never again. The blocks of a complete text are
 * those of one parse of the whole, in whatever pieces it came.
 */
export class MarkdownStream {
  /** All blocks so far: the committed ones, then the open ones. Always the same array. */
  readonly blocks: Block[] = [];
  readonly #feed = new TextFeed();
  #stream = new BlockStream();
  #nodes = new BlockNodes(this.#stream);
  /** How many closed source blocks are among `blocks`, and how many nodes they made. */
  #closed = 0;
  #committed = 0;

  /** How many blocks are committed. A committed block changes only when a link in it is defined later. */
  get committed(): number {
    return this.#committed;
  }

  /** Some text is not shown yet, to keep the work within bounds; `catchUp` a little later shows it. */
  get behind(): boolean {
    return this.#nodes.behind;
  }

  /**
   * Takes the text as it is now.
   * @param text The whole text. A longer form of the last one is the cheap case.
   * @returns The index of the first block that may have changed.
   */
  update(text: string, options: UpdateOptions): number {
    const { open, catchUp = false } = options;
    const { ended } = this.#feed;
    const piece = this.#feed.take(text, open);
    if (piece === undefined) {
      this.reset();
      this.update(text, options);
      return 0;
    }
    if (piece === '' && (ended || (open && !(catchUp && this.behind)))) return this.blocks.length;
    const hasChanged = this.#stream.read(piece, open);
    this.#nodes.begin(catchUp);
    const first = this.#show(hasChanged);
    if (!open) keepBlocks(text, this.blocks);
    return first;
  }

  /** Forgets everything: the next update parses the whole text. */
  reset(): void {
    this.#feed.reset();
    this.#stream = new BlockStream();
    this.#nodes = new BlockNodes(this.#stream);
    this.blocks.length = this.#closed = this.#committed = 0;
  }

  /** Replaces what has changed in `blocks`. Returns the index of the first change. */
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
