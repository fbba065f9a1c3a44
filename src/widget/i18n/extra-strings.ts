import { lazyStrings, type LazyStrings } from './lazy-strings.ts';
import { en, type ExtraKey } from './locales/extras/en.ts';
import { extraLoaders } from './locales/extras/index.ts';
import type { Strings } from './strings.ts';

/** Returns the string for a key of the extra tables; the page's own where it has replaced one. */
export type ExtraStrings = LazyStrings<ExtraKey>;

/** Loads the strings of conversations, speech and connections that nothing makes. See `lazyStrings`. */
export const loadExtraStrings: (words: Strings) => Promise<ExtraStrings> = lazyStrings<ExtraKey>(
  en,
  extraLoaders,
);
