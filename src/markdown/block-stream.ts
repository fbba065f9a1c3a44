import { BlockParser } from './block-parser.ts';
import { parseInline, settledLength } from './inline-parser.ts';
import { normalizeLabel } from './link-references.ts';
import { dropNodesMentioning } from './source-block.ts';
import { countWork } from './work-counter.ts';
import { cellsOf } from './table-row.ts';
import { isUndecided, mayCloseFence } from './unfinished-text.ts';

/** From this length on, the beginning of an open paragraph is settled. */
const minSettledLength = 192;
/** The beginning of a line that belongs to a paragraph, whatever follows. */
const startOfText = /^[^\s<[][^]*?\p{L}/u;

/**
 * Feeds streamed text to a block parser. An incomplete last line is parsed provisionally: with the next piece, the
 * state before it is restored.
 */
export class BlockStream {
  readonly parser = new BlockParser();
  /** Number of top-level blocks that are closed. */
  closed = 0;
  /** The last line, while it is incomplete. */
  #line = '';
  /** Index in `#line` up to which there is no line end. */
  #searched = 0;
  /** Whether the beginning of the incomplete line is already in the open paragraph. */
  #isContinued = false;
  #restore: (() => void) | undefined;
  #provisionalLine = 0;
  /** Number of defined labels for which blocks that mention them were updated. */
  #checkedLabels = 0;

  /** Number of the provisionally parsed line; 0: none. */
  get provisionalLine(): number {
    return this.#provisionalLine;
  }

  /**
   * Parses more text.
   * @param open Whether more may follow.
   * @returns whether closed blocks changed, because a link in them is now defined
   */
  read(piece: string, open: boolean): boolean {
    const { parser } = this;
    this.#restore?.();
    this.#restore = undefined;
    this.#provisionalLine = 0;
    this.#readLines(piece, open);
    if (open) parser.takeCompleteDefinitions();
    else parser.closeFrom(1);
    const { openBlocks, document } = parser;
    this.closed = document.children.length - (openBlocks.length > 1 ? 1 : 0);
    const labels = parser.references.lateLabels(this.#checkedLabels);
    this.#checkedLabels = parser.references.size;
    const hasChanged = labels.length > 0 && dropNodesMentioning(document, labels, normalizeLabel);
    if (open) {
      this.#settle();
      this.#parseProvisionally();
    }
    return hasChanged;
  }

  /** Parses the complete lines; at the end of the text the last one too. */
  #readLines(piece: string, open: boolean): void {
    const text = this.#line + piece;
    countWork(text.length);
    let start = 0;
    let search = this.#searched;
    while (start < text.length) {
      const found = text.indexOf('\n', search);
      if (found < 0 && open) break;
      const end = found < 0 ? text.length : found;
      const line = text.slice(start, end);
      if (this.#isContinued) this.parser.tip.text += line;
      else this.parser.parseLine(line, '\n');
      this.#isContinued = false;
      start = search = end + 1;
    }
    this.#line = text.slice(start);
    if (this.#isContinued) {
      this.parser.tip.text += this.#line;
      this.#line = '';
    }
    this.#searched = this.#line.length;
  }

  /** Marks nodes as final if no later text can change them. */
  #settle(): void {
    const { openBlocks, tip, references } = this.parser;
    for (const block of openBlocks) {
      if (block.kind !== 'list' && block.kind !== 'table') continue;
      const head = block.kind === 'table' ? 1 : 0;
      const nodes = block.kind === 'table' ? block.rows : block.items;
      nodes.length = Math.min(nodes.length, block.settledCount);
      block.settledCount = Math.max(0, block.children.length - head - 1);
    }
    if (tip.kind === 'code' && tip.end && tip.text) {
      tip.settledCode.push(tip.text);
      tip.text = '';
    }
    if (tip.kind !== 'paragraph' || (tip.text.startsWith('[') && !tip.settledText)) return;
    const { text, triedLength } = tip;
    if (text.length <= minSettledLength || text.length <= triedLength * 1.125 + 64) return;
    const length = settledLength(text, references);
    tip.triedLength = text.length - length;
    for (const node of parseInline(text.slice(0, length), references, false)) tip.settledInlines.push(node);
    tip.settledText += text.slice(0, length);
    tip.text = text.slice(length);
  }

  /** Parses the incomplete line provisionally, unless its kind is still undecided. */
  #parseProvisionally(): void {
    const { parser } = this;
    this.#restore = parser.save();
    const line = this.#line;
    const isInFence = parser.tip.kind === 'code' && parser.tip.end !== undefined;
    const isHeld = isInFence ? mayCloseFence(line) : isUndecided(line);
    if (line && !isHeld) {
      parser.parseLine(line, '');
      this.#provisionalLine = parser.lineNumber;
    }
    const { kind, text, settledText } = parser.tip;
    if (kind !== 'paragraph') return;
    const start = text.lastIndexOf('\n') + 1;
    if (text[start] === '|' && (start > 0 || !settledText)) this.#openExpectedTable(text, start);
    else if (line.length > minSettledLength && !isHeld && startOfText.test(text.slice(start))) {
      this.#restore = undefined;
      this.#provisionalLine = 0;
      this.#isContinued = true;
      this.#line = '';
      this.#searched = 0;
    }
  }

  /** Opens a table if the last line begins with a pipe, because a delimiter row will probably follow. */
  #openExpectedTable(text: string, start: number): void {
    const columns = cellsOf(text.slice(start)).length;
    const lineBefore = text.slice(text.lastIndexOf('\n', start - 2) + 1, start);
    if (columns > 0 && !lineBefore.includes('|')) this.parser.openTable(new Array<''>(columns).fill(''));
  }
}
