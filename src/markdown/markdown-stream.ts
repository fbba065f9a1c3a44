import { CodeGrowth } from './code-growth.ts';
import type { Growth } from './growth.ts';
import { LinkDefinitions, mentions } from './link-definitions.ts';
import { keepBlocks } from './last-text.ts';
import type { Block } from './nodes.ts';
import { ParagraphGrowth } from './paragraph-growth.ts';
import { ParsePass, type InlineMemory } from './parse-pass.ts';
import { TextFeed } from './text-feed.ts';

/** A tail longer than this is parsed again only when it has grown by a sixty-fourth. */
const freelyParsed = 4096;

/** How a stream takes a text. */
export interface UpdateOptions {
  /** More may follow. */
  readonly open: boolean;
  /** Leave nothing behind, whatever it costs. Default false. */
  readonly catchUp?: boolean;
}

/**
 * Markdown that grows. Closed blocks are committed: parsed once and never looked at again; only the open tail is.
 * Whatever pieces the text comes in, the blocks at its end are those of one whole parse.
 */
export class MarkdownStream {
  /** All blocks so far: the committed ones, then the open ones. Always the same array. */
  readonly blocks: readonly Block[];
  readonly #blocks: Block[] = [];
  readonly #feed = new TextFeed();
  #definitions = new LinkDefinitions();
  #committed = 0;
  #firstChanged = 0;
  /** What follows the committed blocks, or the settled part of the one that grows. */
  #tail = '';
  #growth: Growth | undefined;
  #code: CodeGrowth | undefined;
  #parsedLength = 0;
  #behind = false;
  #memory: InlineMemory = new Map();

  constructor() {
    this.blocks = this.#blocks;
  }

  /** How many blocks are committed. One changes only when a link in it is defined later. */
  get committed(): number {
    return this.#committed;
  }

  /** Some text is not shown yet, to keep the work within bounds; `catchUp` a little later shows it. */
  get behind(): boolean {
    return this.#behind;
  }

  /**
   * Takes the text as it is now.
   * @param text The whole text. A longer form of the last one is the cheap case.
   * @returns The index of the first block that may have changed.
   */
  update(text: string, options: UpdateOptions): number {
    const { open, catchUp = false } = options;
    const ended = this.#feed.ended;
    const piece = this.#feed.take(text, open);
    if (piece === undefined) {
      this.#reset();
      this.update(text, options);
      return 0;
    }
    if (piece === '' && (ended || (open && !(catchUp && this.#behind)))) return this.#blocks.length;
    this.#tail += piece;
    this.#firstChanged = this.#committed;
    this.#advance(open, catchUp);
    if (!open) keepBlocks(text, this.#blocks);
    return this.#firstChanged;
  }

  /** Forgets all, so that the next update parses the whole text anew. */
  reset(): void {
    this.#reset();
  }

  #reset(): void {
    this.#feed.reset();
    this.#blocks.length = 0;
    this.#definitions = new LinkDefinitions();
    this.#committed = 0;
    this.#tail = '';
    this.#growth = undefined;
    this.#code = undefined;
    this.#parsedLength = 0;
    this.#memory.clear();
  }

  #advance(open: boolean, catchUp: boolean): void {
    if (this.#code && !this.#takeCode(this.#code, open)) return;
    const { length } = this.#tail;
    const grown = length - this.#parsedLength;
    this.#behind = open && !catchUp && length > freelyParsed && grown >= 0 && grown < length / 64;
    if (this.#behind) return;
    this.#parse(open);
    this.#parsedLength = this.#tail.length;
  }

  /** Lets an open fence take its lines; true when it is closed and what follows is to be parsed. */
  #takeCode(code: CodeGrowth, open: boolean): boolean {
    const { tail, finished } = code.take(this.#tail, open);
    this.#tail = tail;
    this.#parsedLength = 0;
    this.#behind = false;
    this.#code = finished ? undefined : code;
    if (finished) this.#commit(code.block, '');
    else this.#show([code.block]);
    return finished;
  }

  #parse(open: boolean): void {
    const growth = this.#growth;
    this.#growth = undefined;
    const whole = (growth?.prefix ?? '') + this.#tail;
    const pass = new ParsePass(whole, this.#definitions.references, open, this.#memory);
    this.#memory = pass.memory;
    const { parsed } = pass;
    const shown: Block[] = [];
    let cut = growth?.prefix.length ?? 0;
    let index = -1;
    for (const block of parsed.blocks) {
      index += 1;
      const growing = index === 0 && growth ? growth : pass.begin(index, block);
      if (growing instanceof CodeGrowth) {
        this.#define(pass, parsed.offsetOf(block.startLine));
        this.#tail = whole.slice(parsed.offsetOf(block.startLine + 1));
        this.#code = growing;
        this.#advance(open, true);
        return;
      }
      const grownTo = growing?.absorb(parsed, block, pass.absorbOptions(index));
      if (growth && growing === growth && grownTo === undefined) {
        this.#regrow(growth, open);
        return;
      }
      const node = growing && grownTo !== undefined ? growing.block : pass.node(block);
      if (index < pass.openIndex) {
        cut = parsed.offsetOf(block.endLine);
        this.#commit(node, growing?.source ?? pass.sourceOf(block));
        continue;
      }
      shown.push(node);
      if (!growing || grownTo === undefined) continue;
      cut = grownTo;
      this.#growth = growing;
      this.#behind = growing instanceof ParagraphGrowth && growing.behind;
    }
    this.#tail = open ? whole.slice(cut) : '';
    const fresh = this.#define(pass, open ? cut : Infinity);
    // The growth was set in the loop above, which the compiler does not follow.
    const grown = this.#growth as Growth | undefined;
    if (grown && fresh.length > 0 && mentions(grown.source, fresh)) this.#regrow(grown, open);
    else this.#show(shown);
  }

  /** Parses a block that grew in place from its beginning again, because it has become something else. */
  #regrow(growth: Growth, open: boolean): void {
    this.#tail = growth.source + this.#tail;
    this.#growth = undefined;
    this.#parse(open);
  }

  #commit(block: Block, source: string): void {
    this.#definitions.watch(this.#committed, block, source);
    this.#blocks.length = this.#committed;
    this.#blocks.push(block);
    this.#committed++;
  }

  #show(open: readonly Block[]): void {
    this.#blocks.length = this.#committed;
    this.#blocks.push(...open);
  }

  /** Keeps the definitions before an offset, and renews the committed blocks that waited for one. */
  #define(pass: ParsePass, offset: number): readonly string[] {
    const fresh = this.#definitions.define(pass.parsed.definitionsBefore(offset), pass.references);
    if (fresh.length === 0) return fresh;
    this.#memory.clear();
    for (const [index, block] of this.#definitions.resolve(fresh)) {
      this.#blocks[index] = block;
      this.#firstChanged = Math.min(this.#firstChanged, index);
    }
    return fresh;
  }
}
