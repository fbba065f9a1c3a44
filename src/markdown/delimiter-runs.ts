import { toNodes, type DelimiterRun, type Piece } from './inline-pieces.ts';
import type { Inline } from './nodes.ts';

/** Maximum nesting depth of emphasis; deeper delimiters are kept as text. */
const maxDepth = 100;
const punctuation = /[\p{P}\p{S}]/u;
/** CJK characters, which often have no space between emphasized text and the text around it. */
const cjk = /[\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/**
 * The run of `*`, `_` or `~` at an index. Beside CJK characters, `*` and `~` need no space or punctuation around them.
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
  const isLeftFlanking = !isSpaceAfter && (!isPunctuationAfter || isSpaceBefore || isPunctuationBefore);
  const isRightFlanking = !isSpaceBefore && (!isPunctuationBefore || isSpaceAfter || isPunctuationAfter);
  const isBesideCjk = cjk.test(before) || cjk.test(after);
  const isUnderscore = sign === '_';
  const canOpen = isUnderscore
    ? isLeftFlanking && (!isRightFlanking || isPunctuationBefore)
    : isLeftFlanking || (isBesideCjk && !isSpaceAfter);
  const canClose = isUnderscore
    ? isRightFlanking && (!isLeftFlanking || isPunctuationAfter)
    : isRightFlanking || (isBesideCjk && !isSpaceBefore);
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
  /** The algorithm's `openers_bottom`: for each kind of closer, the index in `#openers` below which none matches. */
  readonly #bottoms = new Map<string, number>();
  readonly #depths = new WeakMap<Piece, number>();
  /** Source text before this index can no longer become part of emphasis. */
  settledEnd = 0;

  /** @param unstableFrom source index after which the text may still change */
  constructor(pieces: readonly Piece[], unstableFrom = 0) {
    for (const piece of pieces) {
      if (piece.kind === 'run') this.#addRun(piece);
      else {
        this.#pieces.push(piece);
        if (piece.kind !== 'text' || piece.start === undefined) continue;
        if (this.#openers.length > 0 || piece.start >= unstableFrom) continue;
        // up to the last single space between two other characters
        const settled = /^[^]*\S (?=\S)/.exec(piece.text)?.[0].length;
        if (settled) this.settledEnd = piece.start + settled;
      }
    }
  }

  /** Closes all open emphasis. A single `~` stays text: it mostly means "about". */
  closeAll(): this {
    for (let index = this.#openers.length - 1; index >= 0; index--) {
      const run = this.#runAt(index);
      if (!run || (run.sign === '~' && run.length === 1)) continue;
      while (run.left > 0) this.#wrap(index, run, run.left > 1 ? 2 : 1);
    }
    return this;
  }

  get nodes(): Inline[] {
    return toNodes(this.#pieces);
  }

  #runAt(index: number): DelimiterRun | undefined {
    const piece = this.#pieces[this.#openers[index] ?? -1];
    return piece?.kind === 'run' ? piece : undefined;
  }

  #addRun(run: DelimiterRun): void {
    const kind = `${run.sign}${run.canOpen}${run.sign === '~' ? run.length : run.length % 3}`;
    while (run.canClose && run.left > 0) {
      const index = this.#openerFor(run, this.#bottoms.get(kind) ?? 0);
      const opener = this.#runAt(index);
      if (!opener) {
        this.#bottoms.set(kind, this.#openers.length);
        break;
      }
      const count = run.sign === '~' ? run.length : run.left > 1 && opener.left > 1 ? 2 : 1;
      run.left -= count;
      this.#wrap(index, opener, count);
    }
    if (run.left === 0) return;
    if (run.canOpen) this.#openers.push(this.#pieces.length);
    this.#pieces.push(run);
  }

  /** Index in `#openers` of the opener that a run closes; -1 when there is none. */
  #openerFor(closer: DelimiterRun, bottom: number): number {
    for (let index = this.#openers.length - 1; index >= bottom; index--) {
      const opener = this.#runAt(index);
      if (opener?.sign === closer.sign && canPair(opener, closer)) return index;
    }
    return -1;
  }

  /** Wraps everything after an opener in a span, and consumes `count` of its delimiters. */
  #wrap(index: number, opener: DelimiterRun, count: number): void {
    const children = toNodes(this.#pieces.splice((this.#openers[index] ?? 0) + 1));
    opener.left -= count;
    this.#openers.length = index + 1;
    if (opener.left === 0) {
      this.#pieces.pop();
      this.#openers.pop();
    }
    for (const [kind, bottom] of this.#bottoms)
      this.#bottoms.set(kind, Math.min(bottom, this.#openers.length));
    const depth = 1 + children.reduce((deepest, child) => Math.max(deepest, this.#depths.get(child) ?? 0), 0);
    if (depth > maxDepth) {
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

/** Whether two runs of the same character can open and close emphasis. */
function canPair(opener: DelimiterRun, closer: DelimiterRun): boolean {
  if (closer.sign === '~') return opener.length === closer.length;
  const canOneDoBoth = opener.canClose || closer.canOpen;
  return (
    !canOneDoBoth ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}
