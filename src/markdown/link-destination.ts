import { unescape } from './escapes.ts';

/** The target of a link or an image. */
export interface LinkTarget {
  /** The address, percent-encoded. */
  readonly href: string;
  readonly title: string;
}

/** A target found in a text, and the index after it. */
export interface FoundTarget extends LinkTarget {
  readonly end: number;
}

/** Maximum nesting of parentheses in a destination without angle brackets. */
const maxDepth = 32;
const angleDestination = /<(?:[^<>\n\\]|\\.)*>/y;
const unfinishedAngleDestination = /<(?:[^<>\n\\]|\\.)*\\?$/y;
const linkTitle = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)/y;
const unfinishedTitle = /(?:"(?:[^"\\]|\\[^])*|'(?:[^'\\]|\\[^])*|\((?:[^()\\]|\\[^])*)\\?$/y;

/** Matches a sticky expression at an index. */
export function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}

/** Index of the first character at or after `index` that is not a space, tab or line end. */
export function skipSpace(text: string, index: number): number {
  let at = index;
  while (at < text.length && ' \t\n'.includes(text.charAt(at))) at++;
  return at;
}

/** The index after the link destination at `start`; -1 when there is none. */
export function endOfDestination(text: string, start: number): number {
  if (text[start] === '<') return matchAt(angleDestination, text, start) ? angleDestination.lastIndex : -1;
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\' && at + 1 < text.length && !' \n'.includes(text.charAt(at + 1))) at++;
    else if (character <= ' ' || character === '\x7f') break;
    else if (character === '(' && ++depth > maxDepth) return -1;
    else if (character === ')' && depth-- === 0) break;
  }
  return depth > 0 ? -1 : at;
}

/** The index after the link title at `start`; -1 when there is none. */
export function endOfTitle(text: string, start: number): number {
  return matchAt(linkTitle, text, start) ? linkTitle.lastIndex : -1;
}

/** Decodes a destination and a title from their source, brackets and quotes included. `''`: no title. */
export function linkTarget(destination: string, title: string): LinkTarget {
  const address = destination.startsWith('<') ? destination.slice(1, -1) : destination;
  return { href: encodeUrl(unescape(address)), title: unescape(title.slice(1, -1)) };
}

/** The `(destination "title")` of an inline link that begins at `start`. */
export function inlineTargetAt(text: string, start: number): FoundTarget | undefined {
  const from = skipSpace(text, start + 1);
  const end = endOfDestination(text, from);
  if (end < 0) return undefined;
  const titleStart = skipSpace(text, end);
  const titleEnd = titleStart > end ? endOfTitle(text, titleStart) : -1;
  const close = titleEnd < 0 ? titleStart : skipSpace(text, titleEnd);
  if (text[close] !== ')') return undefined;
  const title = titleEnd < 0 ? '' : text.slice(titleStart, titleEnd);
  return { ...linkTarget(text.slice(from, end), title), end: close + 1 };
}

/**
 * Whether more text could complete the `(destination "title")` that begins at `start`.
 * @param lastSpace Index of the last white space of the text.
 */
export function isUnfinishedTarget(text: string, start: number, lastSpace: number): boolean {
  const from = skipSpace(text, start + 1);
  const end = endOfDestination(text, from);
  if (end < 0) {
    const isUnfinished =
      text[from] === '<' ? matchAt(unfinishedAngleDestination, text, from) !== null : from > lastSpace;
    if (isUnfinished) return true;
  }
  const after = skipSpace(text, Math.max(from, end));
  if (after >= text.length) return true;
  const titleEnd = endOfTitle(text, after);
  if (titleEnd >= 0) return skipSpace(text, titleEnd) >= text.length;
  return matchAt(unfinishedTitle, text, after) !== null;
}

const unsafe = /[^\w!#$%&'()*+,\-./:;=?@~]/gu;
const badEscape = /%(?![0-9a-f]{2})/gi;

/** Percent-encodes characters that are invalid in a URL. Keeps existing escapes. */
export function encodeUrl(address: string): string {
  return address.replace(badEscape, '%25').replace(unsafe, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '%EF%BF%BD';
    }
  });
}
