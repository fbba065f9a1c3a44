/** A pattern as a tree. */
export type PatternNode =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'edge'; readonly edge: 'start' | 'end' | 'word' | 'inside' }
  | { readonly kind: 'look'; readonly inner: PatternNode; readonly wanted: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'either'; readonly ways: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly inner: PatternNode; readonly least: number; readonly most: number };

const longestPattern = 2000;
const deepest = 60;

/**
 * Reads a regular expression as JSON Schema uses them. Only its shape is read here; what a single character may be is
 * left to the platform's own classes.
 * @returns undefined when it is no expression, or has what cannot be matched in linear time.
 */
export function parsePattern(pattern: string): PatternNode | undefined {
  if (pattern.length > longestPattern) return undefined;
  const flags = ['u', ''].find((candidate) => compiles(pattern, candidate));
  if (flags === undefined) return undefined;
  try {
    return new Reader(pattern, flags).read();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Unsupported extends Error {}

class Reader {
  readonly #pattern: string;
  readonly #flags: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern;
    this.#flags = flags;
  }

  read(): PatternNode {
    const tree = this.#either();
    if (this.#at < this.#pattern.length) throw new Unsupported();
    return tree;
  }

  #either(): PatternNode {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Unsupported();
    const ways = [this.#sequence()];
    while (this.#take('|')) ways.push(this.#sequence());
    this.#depth -= 1;
    return ways.length === 1 && ways[0] ? ways[0] : { kind: 'either', ways };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#pattern.length && !this.#sees('|') && !this.#sees(')')) {
      parts.push(this.#repeated(this.#part()));
    }
    return { kind: 'sequence', parts };
  }

  #part(): PatternNode {
    if (this.#take('^')) return { kind: 'edge', edge: 'start' };
    if (this.#take('$')) return { kind: 'edge', edge: 'end' };
    if (this.#take('\\b')) return { kind: 'edge', edge: 'word' };
    if (this.#take('\\B')) return { kind: 'edge', edge: 'inside' };
    if (this.#take('(')) return this.#group();
    if (this.#sees('[')) return this.#one(/\[\^?(?:\\[^]|[^\]\\])*\]/y);
    if (this.#sees('\\')) return this.#escape();
    if (this.#sees('.')) return this.#one(/\./y);
    return this.#literal();
  }

  #group(): PatternNode {
    const look = this.#take('?=') ? true : this.#take('?!') ? false : undefined;
    if (look === undefined && !this.#take('?:')) {
      const name = this.#match(/\?<[\p{L}\p{N}_$]+>/uy);
      // Look behind and inline flags begin with a question mark too.
      if (name === undefined && this.#sees('?')) throw new Unsupported();
    }
    const inner = this.#either();
    if (!this.#take(')')) throw new Unsupported();
    return look === undefined ? inner : { kind: 'look', inner, wanted: look };
  }

  #escape(): PatternNode {
    if (/\\(?:[1-9]|k<)/y.test(this.#pattern.slice(this.#at, this.#at + 3))) throw new Unsupported();
    return this.#one(
      /\\(?:u\{[\da-f]+\}|u[Dd][89ABab][\da-f]{2}\\u[Dd][C-Fc-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|[^])/iuy,
    );
  }

  #literal(): PatternNode {
    const character = this.#match(/[^]/uy) ?? '';
    return { kind: 'character', test: (other) => other === character };
  }

  /** One character, by the platform's own reading of the piece. */
  #one(shape: RegExp): PatternNode {
    const piece = this.#match(shape);
    if (piece === undefined) throw new Unsupported();
    const expression = new RegExp(`^(?:${piece})$`, this.#flags);
    return { kind: 'character', test: (character) => expression.test(character) };
  }

  #repeated(inner: PatternNode): PatternNode {
    const mark = this.#match(/[*+?]|\{\d+(?:,\d*)?\}/y);
    if (mark === undefined) return inner;
    this.#take('?');
    const counts = /^\{(\d+)(,(\d*))?\}$/.exec(mark);
    const least = counts ? Number(counts[1]) : mark === '+' ? 1 : 0;
    const open = counts ? counts[2] !== undefined && !counts[3] : mark !== '?';
    const most = open ? Infinity : counts ? Number(counts[3] ?? counts[1]) : 1;
    if (least > 2000 || (most !== Infinity && most > 4000)) throw new Unsupported();
    return { kind: 'repeat', inner, least, most };
  }

  #sees(piece: string): boolean {
    return this.#pattern.startsWith(piece, this.#at);
  }

  #take(piece: string): boolean {
    if (!this.#sees(piece)) return false;
    this.#at += piece.length;
    return true;
  }

  #match(shape: RegExp): string | undefined {
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#pattern)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
