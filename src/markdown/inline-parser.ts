import { afterAddress, mailLinkAt, webLinkAt } from './autolinks.ts';
import { delimiterRunAt, EmphasisParser } from './delimiter-runs.ts';
import { decodeReference } from './escapes.ts';
import { extensions } from './extensions.ts';
import { endOfHtml } from './html-tags.ts';
import { plainText, toNodes, type BracketPiece, type Piece } from './inline-pieces.ts';
import {
  encodeUrl,
  type FoundTarget,
  inlineTargetAt,
  isUnfinishedTarget,
  matchAt,
  skipSpace,
} from './link-destination.ts';
import type { LinkReferences } from './link-references.ts';
import type { Inline } from './nodes.ts';
import { countWork } from './work-counter.ts';
import { trimEnd } from './trim.ts';
import { isUnfinishedAutolink, maxUnfinishedReach, withoutUnfinishedMarks } from './unfinished-text.ts';

const plain = /[^\n\\`*_~[\]!<&$]+/y;
const escapable = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const reference = /&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/iy;
const autolink =
  /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*))>/iy;
const startOfAddress = /(?:https?|ftp):\/\/|www\.|@/gi;
const lineBreakTag = /^<br *\/?>$/i;
const linkLabel = /\[((?:[^[\]\\]|\\[^]){0,999})\]/y;
const label = /^(?:[^[\]\\]|\\[^]){1,999}$/;

/** Context of inline content. */
export interface InlineOptions {
  readonly references: LinkReferences;
  /** Whether more may follow. Unfinished marks at the end are then treated as complete. */
  readonly open: boolean;
}

/** Parses the inline content of a block. */
export function parseInline(source: string, references: LinkReferences, open: boolean): Inline[] {
  const text = open ? withoutUnfinishedMarks(source) : source;
  const { pieces } = new InlineParser(text, { references, open });
  const emphasis = new EmphasisParser(pieces);
  return open ? emphasis.closeAll().nodes : emphasis.nodes;
}

/**
 * Length of the beginning of a paragraph that no later text can change. It ends at a space outside all marks, and every
 * mark before it has its counterpart.
 */
export function settledLength(text: string, references: LinkReferences): number {
  const { pieces, unstableFrom } = new InlineParser(text, { references, open: false });
  return new EmphasisParser(pieces, unstableFrom).settledEnd;
}

/**
 * Splits inline content into text, code, links and delimiter runs.
 * @source CommonMark 0.31.2, "Appendix: A parsing strategy", phase 2
 */
class InlineParser {
  readonly pieces: Piece[] = [];
  /** Index after which the text may still change. */
  unstableFrom = Infinity;
  readonly #text: string;
  readonly #references: LinkReferences;
  readonly #open: boolean;
  #at = 0;
  /** The brackets that are open. */
  readonly #brackets: BracketPiece[] = [];
  /** Number of outer open brackets that cannot begin a link any more, because they contain one. */
  #inactive = 0;
  /** End of the last extended autolink. */
  #lastAddressEnd = 0;
  /** Whether an address reaches the end of the text and may continue. */
  #hasOpenAddress = false;
  /** End of the current run of plain text. */
  #plainEnd = 0;
  readonly #autolinks = new WeakSet<object>();
  readonly #absentHtmlEnds = new Set<string>();
  /** Index of the last run of backticks, by its length. */
  #backtickRuns: Map<number, number> | undefined;
  #lastSpace: number | undefined;

  constructor(text: string, { references, open }: InlineOptions) {
    countWork(text.length);
    this.#text = text;
    this.#references = references;
    this.#open = open;
    while (this.#at < text.length) this.#parseNext();
    for (const { start } of this.#brackets) this.unstableFrom = Math.min(this.unstableFrom, start);
    if (open) this.#showUnfinishedLabels();
  }

  /** Hides open brackets near the end: they probably begin a link. */
  #showUnfinishedLabels(): void {
    for (const bracket of this.#brackets.reverse()) {
      if (this.#text.length - bracket.start > maxUnfinishedReach) break;
      this.#hideBracket(bracket);
    }
  }

  /** Removes a bracket. For an image, removes the description too. */
  #hideBracket(bracket: BracketPiece): void {
    if (bracket.image) this.pieces.length = bracket.index;
    else this.pieces[bracket.index] = { kind: 'text', text: '' };
  }

  get #isNearEnd(): boolean {
    return this.#open && this.#text.length - this.#at <= maxUnfinishedReach;
  }

  /** Adds text in place of the next `length` characters. */
  #addText(text: string, length = text.length): void {
    this.pieces.push({ kind: 'text', text, start: this.#at });
    this.#at += length;
  }

  #parseNext(): void {
    const character = this.#text.charAt(this.#at);
    switch (character) {
      case '\n':
        return this.#parseLineEnd();
      case '\\':
        if (!this.#parseFormula()) this.#parseBackslash();
        return;
      case '$':
        if (!this.#parseFormula()) this.#addText('$');
        return;
      case '`':
        return this.#parseBackticks();
      case '*':
      case '_':
      case '~':
        return this.#parseDelimiterRun();
      case '!':
        return this.#text[this.#at + 1] === '[' ? this.#openBracket('![') : this.#addText('!');
      case '[':
        return this.#openBracket('[');
      case ']':
        return this.#closeBracket();
      case '<':
        return this.#parseAngle();
      case '&':
        return this.#parseReference();
      default:
        return this.#parsePlainText();
    }
  }

  #parseLineEnd(): void {
    const last = this.pieces.at(-1);
    let spaces = 0;
    if (last?.kind === 'text') {
      const text = trimEnd(last.text, ' ');
      spaces = last.text.length - text.length;
      if (spaces > 0) this.pieces[this.pieces.length - 1] = { ...last, text };
    }
    this.pieces.push(spaces > 1 ? { kind: 'break' } : { kind: 'text', text: '\n' });
    this.#at = skipSpace(this.#text, this.#at + 1);
  }

  /** A formula; while its end is still to come, its source. Returns whether there is one. */
  #parseFormula(): boolean {
    const start = this.#at;
    const end = extensions.formulas?.endOf(this.#text, start) ?? 0;
    if (end < 0 || end === Infinity) this.unstableFrom = Math.min(this.unstableFrom, start);
    if (end <= 0 || (end === Infinity && !this.#open)) return false;
    const text = this.#text.slice(start, end);
    this.pieces.push({ kind: end === Infinity ? 'text' : 'math', text });
    this.#at = start + text.length;
    return true;
  }

  #parseBackslash(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === '\n') {
      this.pieces.push({ kind: 'break' });
      this.#at = skipSpace(this.#text, this.#at + 2);
    } else if (next && escapable.includes(next)) this.#addText(next, 2);
    else this.#addText('\\');
  }

  #parseReference(): void {
    const found = matchAt(reference, this.#text, this.#at)?.[0] ?? '';
    const decoded = found && decodeReference(found);
    if (decoded === found) this.#addText('&');
    else this.#addText(decoded, found.length);
  }

  /** Text up to the next mark, or up to an address, which becomes a link. */
  #parsePlainText(): void {
    const from = this.#at;
    // searched once per run of plain text, even if it contains several addresses
    if (from >= this.#plainEnd) this.#plainEnd = from + (matchAt(plain, this.#text, from)?.[0].length ?? 0);
    const run = this.#text.slice(from, this.#plainEnd);
    startOfAddress.lastIndex = 0;
    for (let found = startOfAddress.exec(run); found; found = startOfAddress.exec(run)) {
      if (this.#hasOpenAddress) break;
      const link = this.#addressAt(from + found.index, found[0]);
      if (!link) continue;
      if (this.#open && endOfUntouched(this.#text, link.end) === this.#text.length) {
        this.#hasOpenAddress = true;
        break;
      }
      this.#addTextBefore(link.start);
      this.#addAutolink(link.address, this.#text.slice(link.start, link.end), link.end);
      this.#lastAddressEnd = link.end;
      return;
    }
    this.#addText(run);
  }

  /** The extended autolink around a `www.`, `@` or scheme at an index. */
  #addressAt(index: number, sign: string): ReturnType<typeof webLinkAt> {
    const text = this.#text;
    if (sign === '@') return mailLinkAt(text, index, this.#lastAddressEnd);
    const before = index > 0 ? text.charAt(index - 1) : ' ';
    const isShort = sign.length === 4;
    const mayBegin = isShort ? /[\s*_~(]/ : /[^a-z]/i;
    return mayBegin.test(before) ? webLinkAt(text, index, isShort ? index : index + sign.length) : undefined;
  }

  /** Adds the text up to the start of an address. Removes marks that are part of the address. */
  #addTextBefore(start: number): void {
    for (let last = this.pieces.at(-1); startOf(last) >= start; last = this.pieces.at(-1)) this.pieces.pop();
    const last = this.pieces.at(-1);
    if (start > this.#at) this.#addText(this.#text.slice(this.#at, start));
    else if (last?.kind === 'text' && last.start !== undefined)
      this.pieces[this.pieces.length - 1] = { ...last, text: this.#text.slice(last.start, start) };
  }

  #addAutolink(address: string, text: string, end: number): void {
    const link: Inline = {
      kind: 'link',
      href: encodeUrl(address),
      title: '',
      children: [{ kind: 'text', text }],
    };
    this.#autolinks.add(link);
    this.pieces.push(link);
    this.#at = end;
  }

  #parseBackticks(): void {
    const text = this.#text;
    const start = this.#at;
    let from = start;
    while (text[from] === '`') from++;
    const length = from - start;
    const end = this.#closingBackticks(from, length);
    if (end >= 0) {
      this.pieces.push({ kind: 'code', text: codeText(text.slice(from, end)) });
      this.#at = end + length;
      return;
    }
    this.unstableFrom = Math.min(this.unstableFrom, start);
    if (this.#isNearEnd) {
      this.pieces.push({ kind: 'code', text: text.slice(from).replaceAll('\n', ' ').trimStart() });
      this.#at = text.length;
    } else this.#addText(text.slice(start, from));
  }

  /** Index of the next run of exactly `length` backticks; -1 when there is none. */
  #closingBackticks(from: number, length: number): number {
    if (!this.#backtickRuns) {
      this.#backtickRuns = new Map();
      for (const { 0: run, index } of this.#text.matchAll(/`+/g)) this.#backtickRuns.set(run.length, index);
    }
    if ((this.#backtickRuns.get(length) ?? -1) < from) return -1;
    const run = /`+/g;
    run.lastIndex = from;
    for (let found = run.exec(this.#text); found; found = run.exec(this.#text))
      if (found[0].length === length) return found.index;
    return -1;
  }

  #parseDelimiterRun(): void {
    const run = delimiterRunAt(this.#text, this.#at);
    if (run.sign === '~' && run.length > 2) return this.#addText('~'.repeat(run.length));
    this.pieces.push(run);
    this.#at += run.length;
  }

  #openBracket(sign: '[' | '!['): void {
    const bracket: BracketPiece = {
      kind: 'bracket',
      image: sign === '![',
      start: this.#at,
      index: this.pieces.length,
    };
    this.#brackets.push(bracket);
    this.pieces.push(bracket);
    this.#at += sign.length;
  }

  #closeBracket(): void {
    const text = this.#text;
    const opener = this.#brackets.pop();
    if (!opener) return this.#addText(']');
    const isInactive = !opener.image && this.#brackets.length < this.#inactive;
    this.#inactive = Math.min(this.#inactive, this.#brackets.length);
    if (isInactive) return this.#addText(']');
    const target = this.#targetAfter(opener);
    if (target) return this.#addLink(opener, target);
    const mayGrow = this.#mayBecomeLink(this.#at + 1);
    if (mayGrow) this.unstableFrom = Math.min(this.unstableFrom, opener.start);
    if (!mayGrow || !this.#isNearEnd) return this.#addText(']');
    this.#hideBracket(opener);
    this.#at = text.length;
  }

  /** The target in parentheses after a `]`, or that of the label. */
  #targetAfter(opener: BracketPiece): FoundTarget | undefined {
    const text = this.#text;
    const after = this.#at + 1;
    const target = text[after] === '(' ? inlineTargetAt(text, after) : undefined;
    if (target) return target;
    const second = matchAt(linkLabel, text, after);
    const end = second ? linkLabel.lastIndex : after;
    const content = second?.[1] || text.slice(opener.start + (opener.image ? 2 : 1), this.#at);
    const known = label.test(content) ? this.#references.find(content) : undefined;
    return known && { ...known, end };
  }

  /** Whether more text could make a link of the `]` before `after`. */
  #mayBecomeLink(after: number): boolean {
    const text = this.#text;
    if (after >= text.length) return true;
    if (text[after] === '[')
      return !/[^\\]\]/.test(text.slice(after, after + 1002)) && text.length - after <= 1000;
    if (text[after] !== '(') return false;
    this.#lastSpace ??= Math.max(...[' ', '\n', '\t'].map((space) => text.lastIndexOf(space)));
    return isUnfinishedTarget(text, after, this.#lastSpace);
  }

  #addLink(opener: BracketPiece, { href, title, end }: FoundTarget): void {
    const children = new EmphasisParser(this.pieces.splice(opener.index).slice(1)).nodes;
    if (opener.image)
      this.pieces.push({ kind: 'image', source: href, title, alternative: plainText(children) });
    else {
      this.pieces.push({ kind: 'link', href, title, children: this.#withoutAutolinks(children) });
      this.#inactive = this.#brackets.length;
    }
    this.#at = end;
  }

  /** Replaces autolinks with their text, because links cannot be nested. */
  #withoutAutolinks(nodes: readonly Inline[]): Inline[] {
    return toNodes(
      nodes.flatMap((node): readonly Inline[] => {
        if (!('children' in node)) return [node];
        if (this.#autolinks.has(node)) return node.children;
        return [{ ...node, children: this.#withoutAutolinks(node.children) }];
      }),
    );
  }

  /** Parses an autolink in angle brackets, or raw HTML. HTML becomes text, except `<br>`, which breaks the line. */
  #parseAngle(): void {
    const text = this.#text;
    const [, url, mail] = matchAt(autolink, text, this.#at) ?? [];
    if (url) return this.#addAutolink(url, url, autolink.lastIndex);
    if (mail) return this.#addAutolink(`mailto:${mail}`, mail, autolink.lastIndex);
    const end = endOfHtml(text, this.#at, this.#absentHtmlEnds);
    if (end >= 0) {
      const html = text.slice(this.#at, end);
      this.pieces.push(lineBreakTag.test(html) ? { kind: 'break' } : { kind: 'text', text: html });
      this.#at = end;
      return;
    }
    if (/[a-z/!?]/i.test(text[this.#at + 1] ?? 'a'))
      this.unstableFrom = Math.min(this.unstableFrom, this.#at);
    if (this.#isNearEnd && isUnfinishedAutolink(text.slice(this.#at))) this.#addText('', 1);
    else this.#addText('<');
  }
}

/** Index of a piece in the source; -1 if the source does not contain it literally. */
function startOf(piece: Piece | undefined): number {
  return piece && 'start' in piece ? (piece.start ?? -1) : -1;
}

/** The text of a code span: line ends become spaces, and one space is removed on either side. */
function codeText(source: string): string {
  const text = source.replaceAll('\n', ' ');
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text);
  return isPadded ? text.slice(1, -1) : text;
}

/** End of the text after an address, up to which more text could make excluded punctuation a part of the address. */
function endOfUntouched(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== ']' && !afterAddress.test(text.charAt(end))) end++;
  return end;
}
