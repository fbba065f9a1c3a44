import {
  atxHeading,
  codeFence,
  isThematicBreak,
  listItemMarker,
  setextLevel,
  type ListMarker,
} from './block-starts.ts';
import { extensions } from './extensions.ts';
import { htmlBlockStart } from './html-tags.ts';
import { LineCursor } from './line-cursor.ts';
import { definitionAt, isComplete, LinkReferences } from './link-references.ts';
import { createSourceBlock, isLeaf, unsettle, type SourceBlock } from './source-block.ts';
import { alignmentsOf, cellsOf } from './table-row.ts';
import { trimStart } from './trim.ts';

/** Maximum nesting depth of blocks. Deeper blocks become text. */
const maxDepth = 100;

/**
 * Finds the block structure of Markdown, line by line.
 * @source CommonMark 0.31.2, "Appendix: A parsing strategy", phase 1
 */
export class BlockParser {
  readonly document: SourceBlock = createSourceBlock('document');
  readonly references = new LinkReferences();
  /** The open blocks, outermost first. */
  #open: SourceBlock[] = [this.document];
  #lineNumber = 0;
  #cursor = new LineCursor('');

  /** The open blocks, outermost first. */
  get openBlocks(): readonly SourceBlock[] {
    return this.#open;
  }

  /** The innermost open block. */
  get tip(): SourceBlock {
    return this.#open.at(-1) ?? this.document;
  }

  /** Number of parsed lines. */
  get lineNumber(): number {
    return this.#lineNumber;
  }

  isOpen(block: SourceBlock): boolean {
    return this.#open.includes(block);
  }

  /** Saves the state. Returns a function that restores it; closed blocks must not have changed by then. */
  save(): () => void {
    const open = [...this.#open];
    const saved = open.map((block) => ({ block, fields: { ...block }, children: block.children.length }));
    const lineNumber = this.#lineNumber;
    const references = this.references.size;
    return () => {
      for (const { block, fields, children } of saved) {
        Object.assign(block, fields);
        block.children.length = children;
      }
      this.#open = open;
      this.#lineNumber = lineNumber;
      this.references.truncate(references);
    };
  }

  /**
   * Parses one line.
   * @param lineEnd Added to the line in code: `\n`, or `''` for an incomplete line.
   */
  parseLine(line: string, lineEnd: string): void {
    this.#lineNumber++;
    this.#cursor = new LineCursor(line);
    const matched = this.#matchOpenBlocks();
    if (matched === undefined) return;
    const { count, lastQuote } = matched;
    const allMatched = count === this.#open.length;
    const opened = this.#openNewBlocks(count, allMatched);
    const text = trimStart(this.#cursor.rest);
    const isLazy = !allMatched && !opened && text !== '' && this.tip.kind === 'paragraph';
    if (isLazy) this.tip.text += `\n${text}`;
    else {
      if (!opened) this.closeFrom(count);
      this.#addText(text, lineEnd, opened);
    }
    const isFencedCode = this.tip.kind === 'code' && this.tip.end !== undefined;
    this.#markLine(opened || text || isFencedCode ? this.#open.length : lastQuote);
    const { kind, end } = this.tip;
    // the first sign of a block is never a part of its end
    const isRawEnd = kind === 'raw' && end?.test(opened ? text.slice(1) : text);
    if (kind === 'heading' || kind === 'rule' || isRawEnd) this.closeFrom(this.#open.length - 1);
  }

  /** Closes the open blocks from a depth on. */
  closeFrom(depth: number): void {
    for (const block of this.#open.splice(depth))
      if (block.kind === 'paragraph') this.#takeDefinitions(block);
  }

  /** Removes definitions from the beginning of the open paragraph, if no later line can change them. */
  takeCompleteDefinitions(): void {
    if (this.tip.kind === 'paragraph') this.#takeDefinitions(this.tip, true);
  }

  /** Turns the last line of the open paragraph into the head of a table. */
  openTable(alignments: SourceBlock['alignments']): SourceBlock | undefined {
    const paragraph = this.tip;
    if (!paragraph.text.includes('\n')) unsettle(paragraph);
    const start = paragraph.text.lastIndexOf('\n') + 1;
    const text = paragraph.text.slice(start);
    if (!text.includes('|') || cellsOf(text).length !== alignments.length) return undefined;
    paragraph.text = paragraph.text.slice(0, Math.max(0, start - 1));
    const table = this.#openBlock('table', { alignments });
    table.children.push(createSourceBlock('row', { text, lastLine: this.#lineNumber }));
    return table;
  }

  /**
   * Consumes the markers with which the line continues open blocks.
   * @returns the number of blocks that it continues, and the depth of the last quote among them; undefined if the line
   * only closes a block
   */
  #matchOpenBlocks(): { count: number; lastQuote: number } | undefined {
    let lastQuote = 0;
    for (let depth = 1; depth < this.#open.length; depth++) {
      const block = this.#open[depth];
      if (!block) break;
      const match = this.#continues(block);
      if (match === 'no') return { count: depth, lastQuote };
      if (match === 'end') {
        this.#markLine(depth);
        this.closeFrom(depth);
        return undefined;
      }
      if (block.kind === 'quote') lastQuote = depth;
    }
    return { count: this.#open.length, lastQuote };
  }

  /** Whether the line continues a block or closes it (`end`). Consumes the markers of a block that it continues. */
  #continues({ kind, indent: inner, end, children }: SourceBlock): 'yes' | 'no' | 'end' {
    const cursor = this.#cursor;
    const { indent } = cursor;
    const text = trimStart(cursor.rest);
    switch (kind) {
      case 'list':
        return 'yes';
      case 'quote':
        if (indent > 3 || !text.startsWith('>')) return 'no';
        cursor.skipMarker(1);
        cursor.skipSpace(1);
        return 'yes';
      case 'item':
        if (text ? indent < inner : children.length === 0) return 'no';
        cursor.skipSpace(inner);
        return 'yes';
      case 'code':
        if (end && indent < 4 && end.test(text)) return 'end';
        if (!end && indent < 4 && text) return 'no';
        cursor.skipSpace(end ? inner : 4);
        return 'yes';
      case 'raw':
        return text || end ? 'yes' : 'no';
      case 'table':
        return text && indent < 4 ? 'yes' : 'no';
      default:
        return text ? 'yes' : 'no';
    }
  }

  /** Opens the blocks that begin in the rest of the line. Returns whether there were any. */
  #openNewBlocks(matched: number, allMatched: boolean): boolean {
    let depth = matched;
    let opened = false;
    let container = this.#open[depth - 1] ?? this.document;
    while (container.kind !== 'code' && container.kind !== 'raw') {
      const block = this.#openNextBlock(container, depth, allMatched || opened);
      if (!block) break;
      opened = true;
      if (isLeaf(block)) break;
      container = block;
      depth = this.#open.length;
    }
    return opened;
  }

  /** Opens the block at the start of the rest of the line, unless that is text. */
  #openNextBlock(container: SourceBlock, depth: number, allMatched: boolean): SourceBlock | undefined {
    const cursor = this.#cursor;
    const text = trimStart(cursor.rest);
    const { indent } = cursor;
    const inParagraph = container.kind === 'paragraph';
    const couldBeLazy = inParagraph || (!allMatched && this.tip.kind === 'paragraph');
    const open = (kind: SourceBlock['kind'], fields?: Partial<SourceBlock>): SourceBlock => {
      this.closeFrom(depth);
      return this.#openBlock(kind, fields);
    };
    if (text === '' || this.#open.length > maxDepth) return undefined;
    if (indent > 3) {
      if (couldBeLazy) return undefined;
      cursor.skipSpace(4);
      return open('code');
    }
    if (text.startsWith('>')) {
      cursor.skipMarker(1);
      cursor.skipSpace(1);
      return open('quote');
    }
    const heading = atxHeading(text);
    if (heading) return open('heading', heading);
    const fence = codeFence(text);
    if (fence) return open('code', { indent, ...fence });
    const html = htmlBlockStart(text, couldBeLazy) ?? extensions.formulas?.blockStart(text);
    if (html) return open('raw', html);
    const underlined = inParagraph && (this.#setextHeading(container, text) ?? this.#delimiterRow(text));
    if (underlined) return underlined;
    if (isThematicBreak(text)) return open('rule');
    const marker = listItemMarker(text);
    return marker && this.#openItem(marker, { depth, inParagraph, text, indent });
  }

  /** Turns the open paragraph into a heading if the line underlines it. */
  #setextHeading(paragraph: SourceBlock, line: string): SourceBlock | undefined {
    const level = setextLevel(line);
    if (level === undefined) return undefined;
    this.#takeDefinitions(paragraph);
    if (!paragraph.text) return undefined;
    unsettle(paragraph);
    return Object.assign(paragraph, { kind: 'heading', level } as const);
  }

  #delimiterRow(line: string): SourceBlock | undefined {
    const alignments = alignmentsOf(line);
    return alignments && this.openTable(alignments);
  }

  #openItem(
    { length, delimiter, number }: ListMarker,
    at: { depth: number; inParagraph: boolean; text: string; indent: number },
  ): SourceBlock | undefined {
    const isEmpty = at.text.slice(length).trim() === '';
    // only a list that starts with 1 and has content can interrupt a paragraph
    if (at.inParagraph && (isEmpty || (number ?? 1) !== 1)) return undefined;
    this.closeFrom(at.depth);
    const cursor = this.#cursor;
    cursor.skipMarker(length);
    const space = !isEmpty && cursor.indent < 5 ? cursor.indent : 1;
    cursor.skipSpace(space);
    this.#closeUnlessHolds('item');
    if (this.tip.kind !== 'list' || this.tip.delimiter !== delimiter)
      this.#openBlock('list', { delimiter, start: number });
    return this.#openBlock('item', { indent: at.indent + length + space });
  }

  /** Closes open blocks until the innermost one can contain a block of this kind. */
  #closeUnlessHolds(kind: SourceBlock['kind']): void {
    while (isLeaf(this.tip) || (this.tip.kind === 'list' && kind !== 'item'))
      this.closeFrom(this.#open.length - 1);
  }

  #openBlock(kind: SourceBlock['kind'], fields?: Partial<SourceBlock>): SourceBlock {
    this.#closeUnlessHolds(kind);
    const parent = this.tip;
    const list = parent.kind === 'item' ? this.#open.at(-2) : parent;
    const isAfterBlankLine = parent.children.length > 0 && parent.lastLine < this.#lineNumber - 1;
    if (list?.kind === 'list' && isAfterBlankLine && !list.loose)
      Object.assign(list, { loose: true, items: [], settledCount: 0 });
    const block = createSourceBlock(kind, fields);
    parent.children.push(block);
    this.#open.push(block);
    return block;
  }

  /** Adds the rest of the line to the innermost open block. */
  #addText(text: string, lineEnd: string, opened: boolean): void {
    const { tip } = this;
    const { rest } = this.#cursor;
    switch (tip.kind) {
      case 'paragraph':
        if (text) tip.text += `\n${text}`;
        return;
      case 'code':
        // the opening fence is not part of the code
        if (!opened || !tip.end) tip.text += rest + lineEnd;
        return;
      case 'raw':
        tip.text += `${rest}\n`;
        return;
      case 'table':
        if (!opened) tip.children.push(createSourceBlock('row', { text, lastLine: this.#lineNumber }));
        return;
      case 'heading':
      case 'rule':
        return;
      default:
        if (text) this.#openBlock('paragraph', { text });
    }
  }

  /** Records the line as the last one of the open blocks, down to a depth. */
  #markLine(depth: number): void {
    for (const block of this.#open.slice(0, depth + 1)) block.lastLine = this.#lineNumber;
  }

  /** Removes link reference definitions from the beginning of a paragraph. */
  #takeDefinitions(paragraph: SourceBlock, onlyComplete = false): void {
    while (!paragraph.settledText && paragraph.text.startsWith('[')) {
      const definition = definitionAt(paragraph.text);
      if (!definition || (onlyComplete && !isComplete(paragraph.text, definition))) return;
      this.references.define(definition.label, definition);
      paragraph.text = trimStart(paragraph.text.slice(definition.end));
    }
  }
}
