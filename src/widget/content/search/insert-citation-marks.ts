import type { CitationMark } from './citations.ts';

/* Markers pass through the Markdown parser as private-use characters around a number, which no Markdown rule
   matches. After rendering, each one is replaced with a button. */
const opening = '\ue000';
const closing = '\ue001';
const placeholder = /\ue000(\d{1,4})\ue001/;

/**
 * Inserts a placeholder at each mark. Moves marks to where they do not break Markdown: out of words, links and
 * rules.
 */
export function insertPlaceholders(text: string, marks: readonly CitationMark[]): string {
  const clean = text.replace(/[\ue000\ue001]/g, '');
  let marked = '';
  let from = 0;
  const placed = marks.map((mark) => ({ ...place(clean, mark.offset), label: mark.label }));
  for (const { offset, before, label } of placed.sort((one, other) => one.offset - other.offset)) {
    marked += `${clean.slice(from, offset)}${before}${opening}${label}${closing}`;
    from = offset;
  }
  return marked + clean.slice(from);
}

/** The nodes that replaced a text with placeholders. */
interface Placed {
  /** The text before the first mark. */
  readonly kept: string;
  readonly pieces: readonly ChildNode[];
}

/**
 * Replaces placeholders with marks in a text that another element renders, and removes them when that element
 * renders the text again.
 */
export class CitationMarkInserter {
  readonly #placed = new Map<Text, Placed>();

  /** Replaces the placeholders under a node. Does nothing if there are none, so call it after every change. */
  place(under: Node, make: (number: number) => Element): void {
    this.#takeBack();
    const walker = document.createTreeWalker(under, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text && placeholder.test(node.data)) texts.push(node);
    }
    for (const text of texts) this.#split(text, make);
  }

  #split(text: Text, make: (number: number) => Element): void {
    // the capture group puts each number between the texts around it
    const [kept = '', ...rest] = text.data.split(placeholder);
    const pieces = rest.map((part, index) => (index % 2 === 0 ? make(Number(part)) : new Text(part)));
    text.data = kept;
    text.after(...pieces);
    this.#placed.set(text, { kept, pieces });
  }

  #takeBack(): void {
    for (const [text, { kept, pieces }] of this.#placed) {
      if (text.isConnected && text.data === kept) continue;
      for (const piece of pieces) piece.remove();
      this.#placed.delete(text);
    }
  }
}

function place(text: string, citedAt: number): { readonly offset: number; readonly before: string } {
  const offset = endOfWord(text, text.slice(0, citedAt).trimEnd().length || citedAt);
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = indexOr(text.indexOf('\n', offset), text.length);
  const line = text.slice(lineStart, lineEnd);
  // a mark would break a code fence, a rule, a heading's underline or a table's delimiter row
  if (/^(```|~~~|[-*_=]{3,}$|(?=.*-)[\s:|-]+$)/.test(line.trim())) return { offset: lineEnd, before: '\n\n' };
  // text behind the last bar of a row would start another cell
  const bar = /\s*\|\s*$/.exec(text.slice(lineStart, offset));
  if (/^\s*\|.*\|\s*$/.test(line) && bar && offset >= lineStart + line.trimEnd().length) {
    return { offset: lineStart + bar.index, before: '' };
  }
  // a bare URL would include the mark
  return { offset, before: /(https?:\/\/|www\.)[^\s)>]*$/i.test(text.slice(lineStart, offset)) ? ' ' : '' };
}

/** Moves an offset inside a word or URL to its end. */
function endOfWord(text: string, offset: number): number {
  const inWord = /[\p{L}\p{N}]/u;
  const isInside = inWord.test(text.charAt(offset)) && /\S/.test(text.charAt(offset - 1));
  if (!isInside) return offset;
  const end = text.slice(offset).search(/\s/);
  return end < 0 ? text.length : offset + end;
}

function indexOr(index: number, otherwise: number): number {
  return index < 0 ? otherwise : index;
}
