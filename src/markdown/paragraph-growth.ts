import type { Environment } from './environment.ts';
import type { AbsorbOptions, Growth } from './growth.ts';
import { parseInline } from './inline-nodes.ts';
import type { Inline, ParagraphBlock } from './nodes.ts';
import type { ParsedTail, TopBlock } from './parsed-tail.ts';
import { settledLength } from './settled-inline.ts';

/** From this many characters on it is worth looking for a part that can be settled. */
const worthSettling = 192;
/** A line as long as this is cut in the middle. */
const longLine = 192;

/** Whether the line a paragraph begins with is one whatever follows on it, long before it ends. */
export function isSurelyParagraph(line: string): boolean {
  return worthGrowing(line) && !line.includes('\n') && isPlain(line, false);
}

/** Whether a paragraph is long enough to grow in place; one that may begin with a definition never is. */
export function worthGrowing(source: string): boolean {
  return source.length > worthSettling && !/^\s*\[/.test(source);
}

/** A long paragraph: lines, and the beginning of its text, are settled as far as nothing can change them. */
export class ParagraphGrowth implements Growth {
  prefix = '';
  source = '';
  block: ParagraphBlock = { kind: 'paragraph', bare: false, settled: [], rest: [] };
  readonly #settled: Inline[] = [];
  /** Text of `source` whose inline content is not settled. */
  #pending = '';
  /** The open text's length when a part was last looked for, and when it was last parsed. */
  #tried = 0;
  #parsed = 0;
  /** Text has come that is not shown yet, because parsing it again so soon would cost too much. */
  behind = false;

  absorb(parsed: ParsedTail, block: TopBlock, options: AbsorbOptions): number | undefined {
    if (parsed.tokens[block.from]?.type !== 'paragraph_open') return undefined;
    const begin = this.prefix.length || parsed.offsetOf(block.startLine);
    const end = parsed.offsetOf(block.endLine);
    if (this.prefix !== '' && (block.startLine !== 0 || end < begin)) return undefined;
    const cut = options.finished ? end : this.#cutIn(parsed, block, begin, options.lastLine);
    this.#pending += this.#trimmed(parsed.source.slice(begin, cut));
    this.source += parsed.source.slice(begin, cut);
    if (cut > begin) this.prefix = parsed.source[cut - 1] === '\n' ? 'x\n' : 'x\nx ';
    this.#show(parsed.source.slice(cut, end), options.environment);
    return cut;
  }

  /** What is settled ends before the last complete line, or inside a line that has grown very long. */
  #cutIn(parsed: ParsedTail, block: TopBlock, begin: number, lastLine: number): number {
    const line = Math.min(block.endLine, lastLine) - 1;
    const lineStart = Math.max(begin, parsed.offsetOf(Math.max(line, block.startLine)));
    const { source } = parsed;
    const end = parsed.offsetOf(block.endLine);
    if (end - lineStart < longLine || source.indexOf('\n', lineStart) >= 0) return lineStart;
    const space = source.lastIndexOf(' ', end - 2);
    const midLine = this.prefix.endsWith(' ') && lineStart === begin;
    return space > lineStart && isPlain(source.slice(lineStart, space), midLine) ? space + 1 : lineStart;
  }

  /** White space before the first word does not count. */
  #trimmed(text: string): string {
    if (this.#pending !== '' || this.#settled.length > 0) return text;
    let from = 0;
    while (isSpace(text, from)) from++;
    return text.slice(from);
  }

  #show(tail: string, environment: Environment): void {
    let text = this.#pending + this.#trimmed(tail);
    let end = text.length;
    while (isSpace(text, end - 1)) end--;
    text = text.slice(0, end);
    this.behind = environment.open && end > 4096 && end >= this.#parsed && end - this.#parsed < end / 64;
    if (this.behind) return;
    if (environment.open && end > worthSettling && end > this.#tried * 1.125 + 64) {
      const length = settledLength(text, this.#pending.length, environment);
      this.#tried = end - length;
      if (length > 0) {
        this.#settled.push(...parseInline(text.slice(0, length), { ...environment, open: false }));
        this.#pending = this.#pending.slice(length);
        text = text.slice(length);
      }
    }
    this.#parsed = text.length;
    this.block = { ...this.block, settled: this.#settled, rest: parseInline(text, environment) };
  }
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b && code !== 0x0c);
}

/**
 * A line that is text whatever follows on it: no definition, no raw HTML, more than marks, and no bar that could make
 * it the head of a table.
 */
function isPlain(line: string, midLine: boolean): boolean {
  return !line.includes('|') && (midLine || (/^\s*[^\s<[]/.test(line) && /\p{L}/u.test(line)));
}
