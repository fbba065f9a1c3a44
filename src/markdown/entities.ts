/** Decodes a named character reference such as `&copy;`. Returns an unknown one unchanged. */
export type EntityDecoder = (reference: string) => string;

const builtIn: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  deg: '°',
  times: '×',
  larr: '←',
  rarr: '→',
};

let decodeAny: EntityDecoder | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the table of all 2,125 names, once. About 15 common names are built in. If loading fails, other names stay
 * undecoded.
 */
export function loadEntities(): Promise<void> {
  loading ??= import('entities/decode').then(
    ({ decodeHTMLStrict }) => {
      decodeAny = decodeHTMLStrict;
    },
    () => {
      decodeAny = (reference) => reference;
    },
  );
  return loading;
}

/** Decodes with the names that are loaded. */
export const decodeEntity: EntityDecoder = (reference) => {
  const name = reference.slice(1, -1);
  const known = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  return known ?? decodeAny?.(reference) ?? reference;
};

const named = /&([a-z][a-z0-9]{1,31});/gi;

/** Whether a text contains a name that is not built in. */
export function needsEntities(text: string): boolean {
  if (decodeAny || !text.includes('&')) return false;
  for (const match of text.matchAll(named)) if (!Object.hasOwn(builtIn, match[1] ?? '')) return true;
  return false;
}
