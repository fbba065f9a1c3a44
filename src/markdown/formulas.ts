import type { FormulaSyntax } from './extensions.ts';
import { trimEnd } from './trim.ts';

/** Longer formulas inside text stay text, in characters. */
const maxInlineLength = 2000;

const closings = { '\\(': '\\)', '\\[': '\\]', $$: '$$' } as const;
type Opening = keyof typeof closings;

const blockEnds = {
  '\\(': undefined,
  '\\[': /\\\][ \t]*(?:[.,;][ \t]*)?$|^[ \t]*$/,
  $$: /\$\$[ \t]*(?:[.,;][ \t]*)?$|^[ \t]*$/,
} as const;

const wholeFormula = /^(\\\(|\\\[|\$\$)([^]*?)(\\\)|\\\]|\$\$)(?:[ \t]*([.,;]))?\s*$/;
const isClosing = /^[),.;:!?\]}]/;
const hasCharacter = /[\p{L}\p{N}]/u;
const hasWord = /\p{L}{3}/u;
/** Signs that no price, and no text in escaped brackets, contains. */
const strongSign = /[\\^_={}]/;
const sign = /[\\^_={}<>+|/*−-]/;
const command = /\\[a-z]|[\^=]/i;

/** A formula without its delimiters. */
export interface Formula {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** Reads the source of a formula; undefined if its end is missing. */
export function readFormula(source: string): Formula | undefined {
  const [, opening = '', content = '', closing, punctuation = ''] = wholeFormula.exec(source) ?? [];
  if (!isOpening(opening) || closing !== closings[opening] || !content.trim()) return undefined;
  return { tex: content.trim() + punctuation, isDisplay: opening !== '\\(' };
}

/** The syntax `\(…\)`, `\[…\]` and `$$…$$`. Prices, and brackets that are only escaped, stay text. */
export const formulaSyntax: FormulaSyntax = {
  endOf(text, index) {
    const opening = openingAt(text, index);
    if (!opening) return 0;
    const start = index + opening.length;
    const close = closingMarks(text).after(start, closings[opening]);
    if ((close ?? text.length) - start > maxInlineLength) return 0;
    const content = text.slice(start, close);
    const isLikely = !content.includes(opening) && isFormula(opening, content);
    if (close === undefined) return isLikely ? Infinity : -1;
    if (isLikely) return close + 2;
    // two dollars at the end of a text may become three
    return opening === '$$' && close + 2 === text.length ? -1 : 0;
  },
  blockStart(line) {
    const opening = openingAt(line, 0);
    const end = opening && blockEnds[opening];
    if (!end) return undefined;
    const content = trimEnd(line.slice(2));
    const close = content.indexOf(closings[opening]);
    // text after the formula makes it a part of a paragraph
    if (close >= 0 && !/^.{2}[ \t]*[.,;]?$/.test(content.slice(close))) return undefined;
    const tex = close < 0 ? content : content.slice(0, close);
    if (close < 0 && !tex) return { end, info: 'math' };
    const isLikely = close < 0 && opening === '$$' ? strongSign.test(tex) : isFormula(opening, tex);
    return isLikely ? { end, info: 'math' } : undefined;
  },
};

function isOpening(mark: string): mark is Opening {
  return Object.hasOwn(closings, mark);
}

function openingAt(text: string, index: number): Opening | undefined {
  const mark = text.slice(index, index + 2);
  if (!isOpening(mark)) return undefined;
  const isLongRun = mark === '$$' && (text[index + 2] === '$' || text[index - 1] === '$');
  return isLongRun ? undefined : mark;
}

/** Whether a content is mathematics, and not text between prices or escaped brackets. */
function isFormula(opening: Opening, content: string): boolean {
  const tex = content.trim();
  if (isClosing.test(tex) || !hasCharacter.test(tex)) return false;
  const isOneWord = !/\s/.test(tex);
  if (opening === '$$') return strongSign.test(tex) || (isOneWord && !hasWord.test(tex));
  if (opening === '\\[' && !/^\s/.test(content)) return command.test(tex);
  return isOneWord || sign.test(tex) || !hasWord.test(tex);
}

/** Finds closing delimiters in one text; each text is searched once. */
class ClosingMarks {
  readonly text: string;
  readonly #indices: Record<string, number[]> = { '\\)': [], '\\]': [], $$: [] };

  constructor(text: string) {
    this.text = text;
    for (const { 0: found, index } of text.matchAll(/\\+[)\]]|\$+/g)) {
      const mark = found.slice(-2);
      // an even number of backslashes is a line break of TeX before a bracket
      const isMark = found.startsWith('$') ? found.length === 2 : found.length % 2 === 0;
      if (isMark) this.#indices[mark]?.push(index + found.length - 2);
    }
  }

  /** The index of the first mark at or after an index. */
  after(index: number, mark: string): number | undefined {
    const indices = this.#indices[mark] ?? [];
    let low = 0;
    let high = indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((indices[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return indices[low];
  }
}

let latest = new ClosingMarks('');

function closingMarks(text: string): ClosingMarks {
  if (latest.text !== text) latest = new ClosingMarks(text);
  return latest;
}
