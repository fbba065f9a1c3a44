import { toNodes, type DelimiterRun, type Piece } from './inline-pieces.ts';
import type { Inline } from './nodes.ts';

/** Emphasis may be nested this deep; what would go deeper is text. */
const maximalDepth = 100;
const punctuation = /[\p{P}\p{S}]/u;
/** Letters and punctuation of scripts without spaces between words: Chinese, Japanese, Korean. */
const unspaced = /[\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/**
 * The run of `*`, `_` or `~` at an index. Beside characters of scripts without spaces, `*` and `~` need no space or
 * punctuation around them.
 * @source CommonMark 0.31.2, "Emphasis and strong emphasis"
 */
export function delimiterRunAt(text: string, start: number): DelimiterRun {
  const sign = text.charAt(start);
  let end = start;
  while (text[end] === sign) end++;
  const before = start > 0 ? characterBefore(text, start) : ' ';
  const after = end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 32) : ' ';
  const isSpaceBefore = /\s/.test(before);
  const isSpaceAfter = /\s/.test(after);
  const isPunctuationBefore = punctuation.test(before);
  const isPunctuationAfter = punctuation.test(after);
  const isLeft = !isSpaceAfter && (!isPunctuationAfter || isSpaceBefore || isPunctuationBefore);
  const isRight = !isSpaceBefore && (!isPunctuationBefore || isSpaceAfter || isPunctuationAfter);
  const isUnspaced = unspaced.test(before) || unspaced.test(after);
  const isUnderscore = sign === '_';
  const canOpen = isUnderscore
    ? isLeft && (!isRight || isPunctuationBefore)
    : isLeft || (isUnspaced && !isSpaceAfter);
  const canClose = isUnderscore
    ? isRight && (!isLeft || isPunctuationAfter)
    : isRight || (isUnspaced && !isSpaceBefore);
  return { kind: 'run', sign, length: end - start, left: end - start, canOpen, canClose, start };
}

function characterBefore(text: string, index: number): string {
  const code = text.charCodeAt(index - 1);
  const isLowSurrogate = code >= 0xdc00 && code < 0xe000;
  return text.slice(isLowSurrogate ? index - 2 : index - 1, index);
}

/**
 * Finds the emphasis in a list of pieces.
 * @source CommonMark 0.31.2, "An algorithm for parsing nested emphasis and links"
 */
export class EmphasisParser {
  readonly #pieces: Piece[] = [];
  /** Indices in `#pieces` of the runs that can open emphasis. */
  readonly #openers: number[] = [];
  /** By kind of closer: below this index in `#openers` there is no opener for it. */
  readonly #bottoms = new Map<string, number>();
  readonly #depths = new WeakMap<Piece, number>();
  /** Text before this index of the source can become part of no emphasis. */
  settledEnd = 0;

  /** @param hold Index in the source from which on the text may still change. */
  constructor(pieces: readonly Piece[], hold = 0) {
    for (const piece of pieces) {
      if (piece.kind === 'run') this.#addRun(piece);
      else {
        this.#pieces.push(piece);
        if (piece.kind !== 'text' || piece.start === undefined) continue;
        if (this.#openers.length > 0 || piece.start >= hold) continue;
        // up to a single space between two characters
        const settled = /^[^]*\S (?=\S)/.exec(piece.text)?.[0].length;
        if (settled) this.settledEnd = piece.start + settled;
      }
    }
  }

  /** Closes what is open. A single `~` stays text: it mostly means "about". */
  closeAll(): this {
    for (let place = this.#openers.length - 1; place >= 0; place--) {
      const run = this.#runAt(place);
      if (!run || (run.sign === '~' && run.length === 1)) continue;
      while (run.left > 0) this.#wrap(place, run, run.left > 1 ? 2 : 1);
    }
    return this;
  }

  get nodes(): Inline[] {
    return toNodes(this.#pieces);
  }

  #runAt(place: number): DelimiterRun | undefined {
    const piece = this.#pieces[this.#openers[place] ?? -1];
    return piece?.kind === 'run' ? piece : undefined;
  }

  #addRun(run: DelimiterRun): void {
    const kind = `${run.sign}${run.canOpen}${run.sign === '~' ? run.length : run.length % 3}`;
    while (run.canClose && run.left > 0) {
      const place = this.#openerFor(run, this.#bottoms.get(kind) ?? 0);
      const opener = this.#runAt(place);
      if (!opener) {
        this.#bottoms.set(kind, this.#openers.length);
        break;
      }
      const count = run.sign === '~' ? run.length : run.left > 1 && opener.left > 1 ? 2 : 1;
      run.left -= count;
      this.#wrap(place, opener, count);
    }
    if (run.left === 0) return;
    if (run.canOpen) this.#openers.push(this.#pieces.length);
    this.#pieces.push(run);
  }

  /** The place in `#openers` of the opener that a run closes; -1 when there is none. */
  #openerFor(closer: DelimiterRun, bottom: number): number {
    for (let place = this.#openers.length - 1; place >= bottom; place--) {
      const opener = this.#runAt(place);
      if (opener?.sign === closer.sign && doPair(opener, closer)) return place;
    }
    return -1;
  }

  /** Makes a span of everything after an opener, and takes `count` signs off it. */
  #wrap(place: number, opener: DelimiterRun, count: number): void {
    const children = toNodes(this.#pieces.splice((this.#openers[place] ?? 0) + 1));
    opener.left -= count;
    this.#openers.length = place + 1;
    if (opener.left === 0) {
      this.#pieces.pop();
      this.#openers.pop();
    }
    for (const [kind, bottom] of this.#bottoms)
      this.#bottoms.set(kind, Math.min(bottom, this.#openers.length));
    const depth = 1 + children.reduce((deepest, child) => Math.max(deepest, this.#depths.get(child) ?? 0), 0);
    if (depth > maximalDepth) {
      const text = { kind: 'text', text: opener.sign.repeat(count) } as const;
      for (const piece of [text, ...children, text]) this.#pieces.push(piece);
      return;
    }
    const span: Inline = {
      kind: opener.sign === '~' ? 'strike' : count === 2 ? 'strong' : 'emphasis',
      children,
    };
    this.#depths.set(span, depth);
    this.#pieces.push(span);
  }
}

/** Whether two runs of the same sign can be the two ends of emphasis. */
function doPair(opener: DelimiterRun, closer: DelimiterRun): boolean {
  if (closer.sign === '~') return opener.length === closer.length;
  const isEither = opener.canClose || closer.canOpen;
  return (
    !isEither ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}
