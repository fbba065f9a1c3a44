/** Decodes a named character reference such as `&copy;`. Returns an unknown one unchanged. */
export type EntityDecoder = (reference: string) => string;

const common: Readonly<Record<string, string>> = {
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

let whole: EntityDecoder | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the table of all 2,125 names, once. About 15 common names are built in. If loading fails, other names stay
 * undecoded.
 */
export function loadEntities(): Promise<void> {
  loading ??= import('entities/decode').then(
    ({ decodeHTMLStrict }) => {
      whole = decodeHTMLStrict;
    },
    () => {
      whole = (reference) => reference;
    },
  );
  return loading;
}

/** Decodes with the names that are loaded. */
export const decodeEntity: EntityDecoder = (reference) => {
  const name = reference.slice(1, -1);
  const known = Object.hasOwn(common, name) ? common[name] : undefined;
  return known ?? whole?.(reference) ?? reference;
};

const named = /&([a-z][a-z0-9]{1,31});/gi;

/** Whether a text contains a name that is not built in. */
export function needsEntities(text: string): boolean {
  if (whole || !text.includes('&')) return false;
  for (const match of text.matchAll(named)) if (!Object.hasOwn(common, match[1] ?? '')) return true;
  return false;
}
