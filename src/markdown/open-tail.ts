import type { Delimiter, MarkdownIt, StateInline } from 'markdown-it';
import { isOpen } from './environment.ts';
import { ruleNamed, type InlineRule } from './inline-rules.ts';

/** How far an unfinished mark reaches at most before it is taken for what it is: a lone character. */
const reach = 400;
const trailingMarks = /(?:[*_~`]+|\\|!?\[|&#?\w{0,31}|<(?:br? ?\/?)?)$/i;
const unfinishedAddress = /^<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]*)$/i;

/** Marks at the very end are held back until it is clear what they are. */
export function withoutTrailingMarks(source: string): string {
  let text = source;
  for (let round = 0; round < 4; round++) {
    const shorter = text.replace(trailingMarks, '');
    if (shorter === text) break;
    text = shorter;
  }
  return text;
}

/** Shows unfinished marks as if they were finished, where more text may follow. */
export function useOpenTail(markdown: MarkdownIt): void {
  const { ruler, ruler2 } = markdown.inline;
  const backticks = ruleNamed(markdown, 'backticks');
  const link = ruleNamed(markdown, 'link');
  const image = ruleNamed(markdown, 'image');
  const autolink = ruleNamed(markdown, 'autolink');
  ruler.at('backticks', atEnd(unfinishedCode, backticks));
  ruler.at('link', afterFailure(link, unfinishedLink));
  ruler.at('image', afterFailure(image, unfinishedImage));
  ruler.at('autolink', afterFailure(autolink, unfinishedAutolink));
  ruler2.after('balance_pairs', 'unfinished', closeUnfinished);
}

type OpenRule = (state: StateInline) => boolean;

function afterFailure(rule: InlineRule, unfinished: OpenRule): InlineRule {
  return (state, silent) => rule(state, silent) || (!silent && isAtOpenEnd(state) && unfinished(state));
}

function atEnd(unfinished: OpenRule, rule: InlineRule): InlineRule {
  return (state, silent) => (!silent && isAtOpenEnd(state) && unfinished(state)) || rule(state, silent);
}

/** Not inside the label of a link, and close enough to where the text goes on. */
function isAtOpenEnd(state: StateInline): boolean {
  return isOpen(state.env) && state.posMax === state.src.length && state.posMax - state.pos <= reach;
}

function unfinishedCode(state: StateInline): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== 0x60) return false;
  let start = pos;
  while (src.charCodeAt(start) === 0x60) start++;
  const marker = src.slice(pos, start);
  for (let at = src.indexOf(marker, start); at >= 0; at = src.indexOf(marker, at)) {
    let end = at;
    while (src.charCodeAt(end) === 0x60) end++;
    if (end - at === marker.length) return false;
    at = end;
  }
  state.push('code_inline', 'code', 0).content = src.slice(start).replaceAll('\n', ' ').trimStart();
  state.pos = posMax;
  return true;
}

function unfinishedLink(state: StateInline): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5b) return false;
  const label = state.pos + 1;
  const end = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (end < 0) {
    state.pos = label;
    return true;
  }
  if (!mayBecomeLink(state, end + 1)) return false;
  const { posMax } = state;
  state.pos = label;
  state.posMax = end;
  state.md.inline.tokenize(state);
  state.pos = posMax;
  state.posMax = posMax;
  return true;
}

function unfinishedImage(state: StateInline): boolean {
  if (!state.src.startsWith('![', state.pos)) return false;
  const end = state.md.helpers.parseLinkLabel(state, state.pos + 1, false);
  if (end >= 0 && !mayBecomeLink(state, end + 1)) return false;
  state.pos = state.posMax;
  return true;
}

function unfinishedAutolink(state: StateInline): boolean {
  if (!unfinishedAddress.test(state.src.slice(state.pos))) return false;
  state.pos++;
  return true;
}

/** Whether what follows a label may still make a link of it. */
function mayBecomeLink(state: StateInline, after: number): boolean {
  const { src, posMax } = state;
  if (after >= posMax) return true;
  if (src[after] === '[') return state.md.helpers.parseLinkLabel(state, after) < 0;
  return src[after] === '(' && isUnfinishedDestination(state.md, src, after + 1);
}

/** Whether `(destination "title")` ends before it is clear what it is. */
export function isUnfinishedDestination(markdown: MarkdownIt, src: string, from: number): boolean {
  const { parseLinkDestination, parseLinkTitle } = markdown.helpers;
  let at = skipSpace(src, from);
  const destination = parseLinkDestination(src, at, src.length);
  if (destination.ok) at = destination.pos;
  else if (src[at] === '<' ? !src.slice(at + 1).includes('\n') : !/[\s]/.test(src.slice(at))) return true;
  const titleAt = skipSpace(src, at);
  if (titleAt >= src.length) return true;
  const title = parseLinkTitle(src, titleAt, src.length);
  if (title.can_continue) return true;
  return title.ok && skipSpace(src, title.pos) >= src.length;
}

function skipSpace(src: string, from: number): number {
  let at = from;
  while (/[ \t\n]/.test(src[at] ?? '')) at++;
  return at;
}

/** Closes emphasis that is still open, from the inside out. A single `~` stays: it mostly means "about". */
function closeUnfinished(state: StateInline): void {
  if (!isOpen(state.env)) return;
  for (const opener of liveOpeners(state.delimiters).reverse()) {
    if (opener.marker > 0xffff) continue;
    const token = state.tokens[opener.token];
    if (!token) continue;
    opener.end = state.delimiters.length;
    state.push('text', '', 0).content = token.content;
    state.delimiters.push({
      marker: opener.marker,
      length: opener.length ?? 0,
      token: state.tokens.length - 1,
      end: -1,
      open: false,
      close: true,
    });
  }
}

/** Openers that have found no closer and may still do so. */
export function liveOpeners(delimiters: readonly Delimiter[]): Delimiter[] {
  const live: Delimiter[] = [];
  for (let at = 0; at < delimiters.length; at++) {
    const delimiter = delimiters[at];
    if (!delimiter) break;
    if (delimiter.end >= 0) at = delimiter.end;
    else if (delimiter.open) live.push(delimiter);
  }
  return live;
}
