/** A link found in plain text, by GitHub's rules for extended autolinks. */
export interface FoundLink {
  readonly start: number;
  readonly end: number;
  /** What to open; not yet percent-encoded. */
  readonly address: string;
}

/** Characters that end an address: spaces, `<`, and punctuation of scripts that put no space after it. */
export const afterAddress: RegExp = /[\s<\u201d\u3001\u3002\u3008-\u301f\uff01-\uff65]/;
const hostCharacter = /[^\s\p{P}$+<=>^`|~]/u;
const emailLocal = /[\w.+-]/;
const alphanumeric = /[a-z0-9]/i;

/**
 * The link that begins with `www.` or `http://` at `start`. Ends before a space, `<`, punctuation such as `。` or a
 * Japanese word, and excludes trailing punctuation.
 * @param text Text of one inline run.
 * @param start Index of the address.
 * @param hostStart Index of its host.
 */
export function webLinkAt(text: string, start: number, hostStart: number): FoundLink | undefined {
  const isShort = hostStart === start;
  const hostEnd = endOfHost(text, hostStart, isShort);
  if (hostEnd <= hostStart) return undefined;
  const found = text.slice(start, endOfAddress(text, hostEnd));
  const nextWord = found.search(/[a-z\d][ぁ-ん]/i) + 1; // Japanese puts no space before it
  const end = trimEnd(text, start, start + (nextWord || found.length));
  if (end <= hostStart) return undefined;
  return { start, end, address: (isShort ? 'http://' : '') + text.slice(start, end) };
}

/** End of a web address including trailing punctuation; the length of `text` if the address may continue. */
function endOfAddress(text: string, from: number): number {
  let brackets = 0;
  let end = from;
  for (; end < text.length; end++) {
    const character = text[end] ?? '';
    if (afterAddress.test(character)) break;
    if (character === '[') brackets++;
    if (character === ']' && --brackets < 0) break;
  }
  return end;
}

/** The mail address around an `@`; it begins at `from` or later. */
export function mailLinkAt(text: string, at: number, from: number): FoundLink | undefined {
  let start = at;
  while (start > from && emailLocal.test(text[start - 1] ?? '')) start--;
  if (start === at || '/\\'.includes(text[start - 1] ?? ' ')) return undefined;
  const scheme =
    /(?:^|[^a-z0-9])(mailto:|xmpp:)$/i.exec(text.slice(Math.max(from, start - 8), start))?.[1] ?? '';
  let end = at + 1;
  let dots = 0;
  for (; end < text.length; end++) {
    const character = text[end] ?? '';
    if (character === '.' && alphanumeric.test(text[end + 1] ?? '')) dots++;
    else if (character === '@') return undefined;
    else if (!alphanumeric.test(character) && character !== '-' && character !== '_') break;
  }
  if (dots === 0 || !/[a-z]/i.test(text[end - 1] ?? '')) return undefined;
  if (/^xmpp:/i.test(scheme)) end = endOfResource(text, end);
  return {
    start: start - scheme.length,
    end,
    address: (scheme || 'mailto:') + text.slice(start, end),
  };
}

/** End of an `xmpp:` address, which may have one more part after a slash. */
function endOfResource(text: string, from: number): number {
  if (text[from] !== '/') return from;
  let end = from + 1;
  while (end < text.length && /[a-z0-9@.]/i.test(text[end] ?? '')) end++;
  while (text[end - 1] === '.') end--;
  return end - from > 1 ? end : from;
}

function endOfHost(text: string, from: number, needsDot: boolean): number {
  let end = from;
  let dots = 0;
  let underscoresBefore = 0;
  let underscores = 0;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    const character = String.fromCodePoint(code);
    if (character === '_') underscores++;
    else if (character === '.') {
      underscoresBefore = underscores;
      underscores = 0;
      dots++;
    } else if (character !== '-' && !hostCharacter.test(character)) break;
    end += character.length;
  }
  if (underscoresBefore + underscores > 0 && dots <= 10) return from;
  return needsDot && dots === 0 ? from : end;
}

function trimEnd(text: string, start: number, from: number): number {
  let end = from;
  let unopened: number | undefined;
  while (end > start) {
    const last = text[end - 1] ?? '';
    if ('?!.,:*_~\'"'.includes(last)) end--;
    else if (last === ';') {
      const entity = /&[a-z]+;$/i.exec(text.slice(Math.max(start, end - 34), end));
      end = entity ? end - entity[0].length : end - 1;
    } else if (last === ')') {
      const address = text.slice(start, end);
      unopened ??= address.split(')').length - address.split('(').length;
      if (unopened <= 0) break;
      unopened--;
      end--;
    } else break;
  }
  return end;
}
