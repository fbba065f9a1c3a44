import type { Token } from 'markdown-it';
import { blockNode, type InlineReader } from './block-nodes.ts';
import { CodeGrowth } from './code-growth.ts';
import { createReferences, type Environment, type References } from './environment.ts';
import type { AbsorbOptions, Growth } from './growth.ts';
import { parseInline } from './inline-nodes.ts';
import { ListGrowth } from './list-growth.ts';
import type { Block, Inline } from './nodes.ts';
import { countLines, planOpenSource, type OpenSource } from './open-source.ts';
import { isSurelyParagraph, ParagraphGrowth, worthGrowing } from './paragraph-growth.ts';
import { ParsedTail, type TopBlock } from './parsed-tail.ts';
import { TableGrowth } from './table-growth.ts';

/** Inline content by its source, kept from one parse to the next. */
export type InlineMemory = Map<string, readonly Inline[]>;

/** One parse of the tail: its blocks, which of them is the open one, and how their text is read. */
export class ParsePass {
  readonly parsed: ParsedTail;
  readonly references: References;
  /** Index of the open block: the last that starts before the last, maybe incomplete, line. It and all after may change. */
  readonly openIndex: number;
  /** Inline content seen in this pass. */
  readonly memory: InlineMemory = new Map();
  readonly #open: boolean;
  readonly #lastLine: number;
  readonly #read: InlineReader;
  /** The text of the last block may go on. */
  readonly #goesOn: boolean;

  constructor(source: string, below: References, open: boolean, before: InlineMemory) {
    let plan: OpenSource = open ? planOpenSource(source) : { source, lastLine: Infinity };
    const written = plan.otherwise ?? plan;
    this.#open = open;
    this.references = createReferences(below);
    let parsed = new ParsedTail(plan.source, this.environment(false));
    if (plan.otherwise && !endsInTable(parsed)) {
      plan = plan.otherwise;
      parsed = new ParsedTail(plan.source, this.environment(false));
    }
    this.parsed = parsed;
    const { blocks, tokens } = parsed;
    this.#lastLine = plan.lastLine + (this.#lastLineIsSure(plan.lastLine) ? 1 : 0);
    const last = blocks.findLastIndex(({ startLine }) => startLine < this.#lastLine);
    this.openIndex = open ? Math.max(0, last) : blocks.length;
    const lastInline = tokens.findLastIndex(({ type, content }) => type === 'inline' && content !== '');
    // cells that have not come yet are empty
    const isLast = tokens
      .slice(lastInline + 1)
      .every(({ nesting, type }) => nesting === -1 || type === 'td_open' || type === 'inline');
    this.#goesOn = open && isLast && goesOn(written.source, tokens[lastInline - 1]);
    // A definition in the tail may change what its label means everywhere in it.
    const lasting = Object.keys(this.references).length === 0;
    this.#read = (token) => {
      if (this.#goesOn && token === tokens[lastInline]) {
        return parseInline(token.content, { references: this.references, open: true });
      }
      const nodes =
        (lasting ? before.get(token.content) : undefined) ??
        parseInline(token.content, this.environment(false));
      if (lasting) this.memory.set(token.content, nodes);
      return nodes;
    };
  }

  environment(open: boolean): Environment {
    return { references: this.references, open };
  }

  /** What a growing block is told about this parse. */
  absorbOptions(index: number): AbsorbOptions {
    return {
      read: this.#read,
      lastLine: this.#lastLine,
      finished: index < this.openIndex,
      environment: this.environment(this.#goesOn && index === this.parsed.blocks.length - 1),
    };
  }

  node(block: TopBlock): Block {
    return blockNode(this.parsed.tokens, block.from, this.#read);
  }

  sourceOf({ startLine, endLine }: TopBlock): string {
    return this.parsed.source.slice(this.parsed.offsetOf(startLine), this.parsed.offsetOf(endLine));
  }

  /** A way to let the open block grow in place, when its kind has one. */
  begin(index: number, block: TopBlock): Growth | CodeGrowth | undefined {
    if (!this.#open || index !== this.openIndex || block.startLine >= this.#lastLine) return undefined;
    const token = this.parsed.tokens[block.from];
    switch (token?.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        return new ListGrowth(token);
      case 'table_open':
        return new TableGrowth();
      case 'fence': {
        const opening = this.#line(block.startLine);
        return /^[`~].*\n$/.test(opening) ? new CodeGrowth(token, opening) : undefined;
      }
      case 'paragraph_open':
        return !this.#followsDefinition() && worthGrowing(this.sourceOf(block))
          ? new ParagraphGrowth()
          : undefined;
      default:
        return undefined;
    }
  }

  /** A long line that begins a paragraph does so for good: it is as good as complete. */
  #lastLineIsSure(lastLine: number): boolean {
    const block = this.parsed.blocks.at(-1);
    if (!block || block.startLine !== lastLine || this.#followsDefinition()) return false;
    return (
      this.parsed.tokens[block.from]?.type === 'paragraph_open' && isSurelyParagraph(this.sourceOf(block))
    );
  }

  /** A definition right above a paragraph may still take its first line as a title. */
  #followsDefinition(): boolean {
    return this.parsed.tokens.some(({ type, level }) => type === 'reference_definition' && level === 0);
  }

  #line(line: number): string {
    return this.parsed.source.slice(this.parsed.offsetOf(line), this.parsed.offsetOf(line + 1));
  }
}

/** Whether the last line of a source belongs to a table. */
function endsInTable({ source, tokens }: ParsedTail): boolean {
  const lines = countLines(source) + 1;
  return tokens.some(({ type, map }) => type === 'table_open' && map?.[1] === lines);
}

/** Whether the last text of a source may be continued by what follows: no blank line after it, no end of its cell. */
function goesOn(source: string, opening: Token | undefined): boolean {
  const end = source.slice(-300);
  if (/\n[ \t>]*\n[ \t>]*$/.test(end)) return false;
  return opening?.type === 'paragraph_open' || !/(?:\n|(?<!\\)\|[ \t]*)$/.test(end);
}
