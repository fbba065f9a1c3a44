import type MiniSearch from 'minisearch';

/** A section that fits a query. */
export interface Hit {
  /** Page and anchor, such as `operate.html#data`. */
  readonly address: string;
  readonly title: string;
  /** Title of the page. */
  readonly page: string;
}

/** How the index is built and read; both must be the same. */
export const indexOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address'],
};

const searchOptions = {
  prefix: true,
  // in short words, one letter makes another word: “hide”, “tide”
  fuzzy: (term: string) => (term.length > 4 ? 0.15 : false),
  boost: { title: 4, page: 2 },
};

/**
 * The best ten sections for a query: those with all its words, else those with any. The changelog names almost every
 * word, so its sections come last.
 */
export function searchDocuments(index: MiniSearch, query: string): readonly Hit[] {
  const find = (combineWith: 'AND' | 'OR'): readonly Hit[] =>
    index.search(query, { ...searchOptions, combineWith }) as unknown as Hit[]; // the fields that the index stores
  const all = find('AND');
  const guides = all.filter((hit) => !isChange(hit));
  const others = guides.length > 0 ? [] : find('OR').filter((hit) => !isChange(hit));
  return [...guides, ...others, ...all.filter(isChange)].slice(0, 10);
}

function isChange({ address }: Hit): boolean {
  return address.startsWith('changelog.html');
}
