import type { CitationMark } from './citations.ts';

/*
 * Marks travel through Markdown as private-use characters around a number: no rule of Markdown reads them, and nobody
 * writes them. Once the text is on screen each becomes a button.
 */
const opening = '\ue000';
const closing = '\ue001';
const placeholder = /\ue000(\d{1,4})\ue001/;

/** The text with a placeholder at each mark. Marks move to where they break no Markdown: out of words, links, rules. */
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

/** What was put behind a text that held placeholders. */
interface Placed {
  /** What is left of the text in front of the first mark. */
  readonly kept: string;
  readonly pieces: readonly ChildNode[];
}

/**
 * Puts marks in place of placeholders in a text that another element draws, and takes them away again where that
 * element wrote its text anew.
 */
export class CitationMarkerInserter {
  readonly #placed = new Map<Text, Placed>();

  /** Does nothing where there is no placeholder, so it may be called at every change. */
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
    // The pattern's group puts each number between the texts around it.
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

function place(text: string, asked: number): { readonly offset: number; readonly before: string } {
  const offset = endOfWord(text, text.slice(0, asked).trimEnd().length || asked);
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = indexOr(text.indexOf('\n', offset), text.length);
  const line = text.slice(lineStart, lineEnd);
  // A fence, a rule, the line under a heading or a table's head would no longer be one.
  if (/^\s*(```|~~~|[-*_=]{3,}\s*$|\|?[\s:|-]*-[\s:|-]*$)/.test(line))
    return { offset: lineEnd, before: '\n\n' };
  // Behind the last bar of a row begins another cell.
  const bar = /\s*\|\s*$/.exec(text.slice(lineStart, offset));
  if (/^\s*\|.*\|\s*$/.test(line) && bar && offset >= lineStart + line.trimEnd().length) {
    return { offset: lineStart + bar.index, before: '' };
  }
  // A bare address would take the mark for a part of itself.
  return { offset, before: /(https?:\/\/|www\.)[^\s)>]*$/i.test(text.slice(lineStart, offset)) ? ' ' : '' };
}

/** An offset inside a word or an address moves to its end. */
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
