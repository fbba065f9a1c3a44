import type { Delimiter, MarkdownIt, StateInline } from 'markdown-it';
import { afterAddress, webLinkAt } from './autolinks.ts';
import { decodeEntity } from './entities.ts';
import { isOpen } from './environment.ts';
import { encodeAddress } from './urls.ts';

const tilde = 0x7e;
/** Single and double tildes never match each other, so each has a delimiter of its own. */
const singleTilde = tilde + 0x10000;
/** Letters and punctuation of scripts that put no spaces between words: Chinese, Japanese, Korean. */
const unspaced = /[\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const namedReference = /&([a-z][a-z0-9]{1,31});/iy;

/**
 * Puts GitHub's strikethrough and autolinks, and our entity table, in the place of markdown-it's own, and lets emphasis
 * stand beside punctuation in scripts without spaces.
 */
export function useGithubRules(markdown: MarkdownIt): void {
  const entity = ruleNamed(markdown, 'entity');
  markdown.inline.ruler.at('entity', (state, silent) => namedEntity(state, silent) || entity(state, silent));
  // a class of this parser's own: a page may have the same library for itself
  markdown.inline.State = class extends markdown.inline.State {
    override scanDelims(start: number, canSplitWord: boolean): DelimiterScan {
      const marks = super.scanDelims(start, canSplitWord);
      return canSplitWord ? besideUnspaced(this, start, marks) : marks;
    }
  };
  markdown.inline.ruler.at('strikethrough', strikethrough);
  markdown.inline.ruler2.at('strikethrough', pairStrikethrough);
  const text = ruleNamed(markdown, 'text');
  markdown.inline.ruler.at('text', (state, silent) => textBeforeAddress(state, silent, text));
  markdown.inline.ruler.after('text', 'address', schemeAddress);
}

type DelimiterScan = ReturnType<StateInline['scanDelims']>;

/** A rule of the inline parser. */
export type InlineRule = (state: StateInline, silent: boolean) => boolean;

/** The inline rule of that name as it stands. */
export function ruleNamed(markdown: MarkdownIt, name: string): InlineRule {
  const rules = markdown.inline.ruler.getRules('');
  // The ruler gives its rules in order but not by name; its own lookup is private.
  const ruler = markdown.inline.ruler as unknown as { __find__(name: string): number };
  const rule = rules[ruler.__find__(name)];
  if (!rule) throw new TypeError(`markdown-it has no inline rule "${name}"`);
  return rule;
}

/** Named references by our table; only numeric ones are left to markdown-it. */
function namedEntity(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x26 || state.src.charCodeAt(state.pos + 1) === 0x23) return false;
  namedReference.lastIndex = state.pos;
  const reference = namedReference.exec(state.src)?.[0];
  const decoded = reference && decodeEntity(reference);
  const length = decoded && decoded !== reference ? (reference?.length ?? 0) : 1;
  if (!silent) {
    if (length === 1) state.pending += '&';
    else state.push('text_special', '', 0).content = decoded ?? '';
  }
  state.pos += length;
  return true;
}

/**
 * CommonMark tells by spaces whether marks beside punctuation open or close. Where the neighbour needs no space, as in
 * `**重要：**です`, they may do either.
 */
function besideUnspaced({ src }: StateInline, start: number, marks: DelimiterScan): DelimiterScan {
  const before = src[start - 1] ?? ' ';
  const after = src[start + marks.length] ?? ' ';
  if (!unspaced.test(before + after)) return marks;
  return {
    ...marks,
    can_open: marks.can_open || /\S/.test(after),
    can_close: marks.can_close || /\S/.test(before),
  };
}

function strikethrough(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== tilde) return false;
  const { can_open, can_close, length } = state.scanDelims(state.pos, true);
  const token = state.push('text', '', 0);
  token.content = '~'.repeat(length);
  if (length <= 2) {
    state.delimiters.push({
      marker: length === 1 ? singleTilde : tilde,
      length: 0,
      token: state.tokens.length - 1,
      end: -1,
      open: can_open,
      close: can_close,
    });
  }
  state.pos += length;
  return true;
}

function pairStrikethrough(state: StateInline): void {
  for (const delimiters of [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters ?? [])]) {
    for (const opener of delimiters) {
      const closer = delimiters[opener.end];
      if (!closer || (opener.marker !== tilde && opener.marker !== singleTilde)) continue;
      turnInto(state, opener, 's_open', 1);
      turnInto(state, closer, 's_close', -1);
    }
  }
}

function turnInto(state: StateInline, delimiter: Delimiter, type: string, nesting: 1 | -1): void {
  const token = state.tokens[delimiter.token];
  if (token) Object.assign(token, { type, tag: 'del', nesting, content: '' });
}

/** Stops text before a `www.`, and links it when it stands there. */
function textBeforeAddress(state: StateInline, silent: boolean, text: InlineRule): boolean {
  const start = state.pos;
  if (!silent && wwwAddress(state)) return true;
  if (!text(state, silent)) return false;
  if (silent) return true;
  const next = state.src.indexOf('www.', start + 1);
  if (next > start && next < state.pos) {
    state.pending = state.pending.slice(0, state.pending.length - (state.pos - next));
    state.pos = next;
  }
  return true;
}

function wwwAddress(state: StateInline): boolean {
  const { src, pos } = state;
  if (state.linkLevel > 0 || !src.startsWith('www.', pos)) return false;
  if (pos > 0 && !/[\s*_~(]/.test(src[pos - 1] ?? '')) return false;
  return pushAddress(state, pos, pos);
}

function schemeAddress(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (silent || state.linkLevel > 0 || !src.startsWith('://', pos)) return false;
  const scheme = /[a-z]+$/i.exec(state.pending.slice(-6))?.[0] ?? '';
  if (!/^(https?|ftp)$/i.test(scheme) || !src.startsWith(scheme, pos - scheme.length)) return false;
  if (!pushAddress(state, pos - scheme.length, pos + 3)) return false;
  return true;
}

function pushAddress(state: StateInline, start: number, hostStart: number): boolean {
  const source = state.posMax < state.src.length ? state.src.slice(0, state.posMax) : state.src;
  const link = webLinkAt(source, start, hostStart);
  if (!link || (isOpen(state.env) && untouchedEnd(source, link.end) === source.length)) return false;
  state.pending = state.pending.slice(0, state.pending.length - (state.pos - start));
  const open = state.push('link_open', 'a', 1);
  open.attrs = [['href', encodeAddress(link.address)]];
  state.push('text', '', 0).content = source.slice(start, link.end);
  state.push('link_close', 'a', -1);
  state.pos = link.end;
  return true;
}

/** Punctuation left out of an address may still turn out to belong to it while more text can come. */
function untouchedEnd(source: string, end: number): number {
  let last = end;
  while (last < source.length && source[last] !== ']' && !afterAddress.test(source[last] ?? '')) last++;
  return last;
}
