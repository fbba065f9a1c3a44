/** Texts that a pattern may be matched against: any, short ones only, or none. */
export type PatternCost = 'any text' | 'short text' | 'refused';

/** Maximum length of a text for a pattern with the cost `short text`, in characters. */
export const shortTextLength = 100;

/** One element of a pattern, repeated `least` to `most` times. */
interface Item {
  readonly kind: 'character' | 'edge' | 'look' | 'group';
  /** The source of a single character or edge. */
  readonly source: string;
  /** The alternatives in a group or lookahead. */
  readonly ways: readonly Sequence[];
  readonly least: number;
  readonly most: number;
}
type Sequence = readonly Item[];

/**
 * Work of a backtracking matcher from one position: the number of steps, and of positions where it may continue.
 */
interface Work {
  readonly steps: number;
  readonly ends: number;
}

const maxPatternLength = 1000;
const maxGroupDepth = 8;
const anyCharacter = '[^]';
const token =
  /(?<open>\((?:\?:|\?=|\?!|\?<[\p{L}\p{N}_$]+>)?(?!\?))|(?<close>\))|(?<or>\|)|(?<edge>\^|\$|\\b)|(?<refused>\(|\\[1-9k])|(?<character>\[\^?(?:\\[^]|[^\]\\])*\]|\\u\{[\da-f]+\}|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\p\{[^}]*\}|\\[^]|[^])/iuy;
const quantifier = /(?<mark>[*+?])\??|\{(?<least>\d+)(?<range>,(?<most>\d*))?\}\??/uy;
const costs = new Map<string, PatternCost>();

/**
 * Estimates the worst-case cost of a pattern in a backtracking matcher. Refuses nested quantifiers that can split a
 * text in several ways, back references, look-behind, and everything that the flag `u` does not allow.
 */
export function patternCost(pattern: string): PatternCost {
  const cost = costs.get(pattern) ?? estimate(pattern);
  if (costs.size > 200) costs.clear();
  costs.set(pattern, cost);
  return cost;
}

/** Replaces escapes that the flag `u` does not allow, such as `\-`, with character codes. */
export function withoutNeedlessEscapes(pattern: string): string {
  return pattern.replace(/\\([^])/g, (escape, character: string) =>
    /[ !"#%&',:;<=>@_`~-]/.test(character) ? `\\x${character.charCodeAt(0).toString(16)}` : escape,
  );
}

function estimate(pattern: string): PatternCost {
  if (pattern.length > maxPatternLength) return 'refused';
  try {
    new RegExp(pattern, 'u');
    const ways = new PatternReader(pattern).read();
    const isAnchored = ways.every(([first]) => first?.source === '^');
    const steps = (length: number): number => workOfWays(ways, [], length).steps * (isAnchored ? 1 : length);
    if (steps(100_000) <= 100 * 100_000) return 'any text';
    return steps(shortTextLength) <= 2_000_000 ? 'short text' : 'refused';
  } catch {
    return 'refused';
  }
}

/** Parses a pattern that the engine accepts. */
class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(depth = 0): readonly Sequence[] {
    if (depth > maxGroupDepth) throw new RangeError('too many nested groups');
    const ways: Item[][] = [[]];
    for (let found = this.#take(token); found && !found['close']; found = this.#take(token)) {
      if (found['refused']) throw new RangeError('look-behind or back reference');
      if (found['or']) ways.push([]);
      else ways.at(-1)?.push(this.#item(found, depth));
    }
    return ways;
  }

  #item({ open, edge, character }: Groups, depth: number): Item {
    const ways = open ? this.read(depth + 1) : [];
    const kind = edge
      ? 'edge'
      : character
        ? 'character'
        : open === '(?=' || open === '(?!'
          ? 'look'
          : 'group';
    const { mark, least = '1', range, most } = this.#take(quantifier) ?? {};
    const source = edge ?? character ?? '';
    if (mark) return { kind, source, ways, least: mark === '+' ? 1 : 0, most: mark === '?' ? 1 : Infinity };
    return { kind, source, ways, least: Number(least), most: Number(range ? most || Infinity : least) };
  }

  #take(shape: RegExp): Groups | undefined {
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#pattern);
    this.#at += found?.[0].length ?? 0;
    return found?.groups;
  }
}

type Groups = Readonly<Record<string, string | undefined>>;

function workOfWays(ways: readonly Sequence[], follow: readonly string[], length: number): Work {
  const works = ways.map((way) => workOf(way, follow, length));
  const firsts = ways.map((way) => firstsOf(way, follow));
  const isDecided = firsts.every((some, index) =>
    firsts.slice(index + 1).every((others) => !overlap(some, others)),
  );
  const ends = works.map((work) => work.ends);
  return {
    steps: works.reduce((sum, work) => sum + work.steps, 0),
    ends: isDecided ? Math.max(...ends) : ends.reduce((sum, count) => sum + count, 0),
  };
}

function workOf(items: Sequence, follow: readonly string[], length: number): Work {
  let steps = 0;
  let ends = 1;
  items.forEach((item, index) => {
    const work = workOfItem(item, firstsOf(items.slice(index + 1), follow), length);
    steps += ends * work.steps;
    ends *= work.ends;
  });
  return { steps, ends };
}

function workOfItem(item: Item, follow: readonly string[], length: number): Work {
  const { kind, least, source, ways } = item;
  if (kind === 'edge') return { steps: 1, ends: 1 };
  if (kind === 'look') return { steps: workOfWays(ways, [anyCharacter], length).steps, ends: 1 };
  const most = Math.min(item.most, Math.max(length, least));
  const firsts = kind === 'group' ? firstsOf([{ ...item, least: 1 }], []) : [source];
  const isDecided = least === most || !overlap(firsts, follow);
  if (kind === 'character') return { steps: most, ends: isDecided ? 1 : most - least + 1 };
  const again = item.most > 1 ? [...firsts, ...follow] : follow;
  const once = workOfWays(ways, again, length);
  if (item.most === 1) return { steps: once.steps, ends: once.ends + (isDecided ? 0 : 1 - least) };
  const isEmptyable = ways.some(canBeEmpty);
  if (once.ends > 1 || isEmptyable) {
    // each repetition multiplies the possibilities of the previous ones
    const ends = once.ends ** most;
    return { steps: once.steps * ends, ends: ends * (isDecided ? 1 : most) };
  }
  // each repetition can match in one way only, so only the last one fails
  const { steps } = workOfWays(ways, again, 1);
  const holdsLook = ways.flat().some((inner) => inner.kind === 'look' || inner.kind === 'group');
  const rounds = holdsLook ? once.steps * most : steps * most + once.steps;
  return { steps: rounds, ends: isDecided ? 1 : most - least + 1 };
}

/** The sources that can match the first character; includes `follow` if all items are optional. */
function firstsOf(items: Sequence, follow: readonly string[]): readonly string[] {
  const firsts: string[] = [];
  for (const item of items) {
    if (item.kind === 'look' || (item.kind === 'edge' && item.source !== '$'))
      return [...firsts, anyCharacter];
    if (item.kind === 'group') firsts.push(...item.ways.flatMap((way) => firstsOf(way, [])));
    else firsts.push(item.source);
    if (item.least > 0 && !(item.kind === 'group' && item.ways.some(canBeEmpty))) return firsts;
  }
  return [...firsts, ...follow];
}

function canBeEmpty(items: Sequence): boolean {
  return items.every(
    ({ kind, least, ways }) =>
      least === 0 || kind === 'edge' || kind === 'look' || (kind === 'group' && ways.some(canBeEmpty)),
  );
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => canMatchSame(one, other)));
}

/** Whether two sources can match the same character. Exact if one of them matches ASCII only, otherwise assumed. */
function canMatchSame(one: string, other: string): boolean {
  if (one === '$' || other === '$') return false;
  if (!isAscii(one) && !isAscii(other)) return true;
  const characters = asciiOf(one);
  return asciiOf(other).some((character) => characters.includes(character));
}

/** Whether a source matches ASCII characters only; false if that is not obvious. */
function isAscii(source: string): boolean {
  return source !== '.' && !source.startsWith('[^') && !/[^\x20-\x7e]|\\[DWSspPuxc]/.test(source);
}

function asciiOf(source: string): readonly string[] {
  const known = asciiBySource.get(source);
  if (known) return known;
  if (asciiBySource.size > 200) asciiBySource.clear();
  const part = new RegExp(`^${source}$`, 'u');
  const characters = ascii.filter((character) => part.test(character));
  asciiBySource.set(source, characters);
  return characters;
}

const ascii = [...Array(128).keys()].map((code) => String.fromCharCode(code));
const asciiBySource = new Map<string, readonly string[]>();
