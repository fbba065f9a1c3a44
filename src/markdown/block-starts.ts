import { unescape } from './escapes.ts';
import { trimEnd } from './trim.ts';

/* How blocks begin. All lines are passed without their indentation. */

const thematicBreak = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const headingMarker = /^(#{1,6})(?:[ \t]+|$)/;
const fenceMarker = /^(`{3,}|~{3,})(.*)/;
const setextUnderline = /^(=+|-+)[ \t]*$/;
const listMarker = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/;

export function isThematicBreak(line: string): boolean {
  return thematicBreak.test(line);
}

/** The level and the content of an ATX heading. */
export function atxHeading(line: string): { level: number; text: string } | undefined {
  const marker = headingMarker.exec(line);
  if (!marker) return undefined;
  const content = trimEnd(line.slice(marker[0].length));
  const withoutHashes = trimEnd(content, '#');
  const isClosed = withoutHashes === '' || /[ \t]$/.test(withoutHashes.slice(-1));
  return { level: marker[1]?.length ?? 1, text: isClosed ? trimEnd(withoutHashes) : content };
}

/** The level of the setext heading that a line underlines. */
export function setextLevel(line: string): number | undefined {
  const underline = setextUnderline.exec(line);
  return underline ? (underline[0].startsWith('=') ? 1 : 2) : undefined;
}

/** The info string of a fenced code block, and a pattern for its closing fence. */
export function codeFence(line: string): { info: string; end: RegExp } | undefined {
  const [, fence = '', info = ''] = fenceMarker.exec(line) ?? [];
  const sign = fence.charAt(0);
  if (!sign || (sign === '`' && info.includes('`'))) return undefined;
  return { info: unescape(info.trim()), end: new RegExp(`^${sign}{${fence.length},}[ \\t]*$`) };
}

/** A list item's marker. */
export interface ListMarker {
  /** Characters of the marker. */
  readonly length: number;
  /** The bullet, or the sign after the number. Equal for all items of a list. */
  readonly delimiter: string;
  /** The number of an ordered item. */
  readonly number: number | undefined;
}

export function listItemMarker(line: string): ListMarker | undefined {
  const [marker, bullet, number, sign = ''] = listMarker.exec(line) ?? [];
  if (marker === undefined) return undefined;
  return {
    length: marker.length,
    delimiter: bullet ?? sign,
    number: number === undefined ? undefined : Number(number),
  };
}
