import { lazyStrings, type LazyStrings } from './lazy-strings.ts';
import { en, type ActingKey } from './locales/acting/en.ts';
import { actingLoaders } from './locales/acting/index.ts';
import type { Strings } from './strings.ts';

/** Returns the string for a key of the acting tables; the page's own where it has replaced one. */
export type ActingStrings = LazyStrings<ActingKey>;

/** Loads the strings of decisions and page tools. See `lazyStrings`. */
export const loadActingStrings: (words: Strings) => Promise<ActingStrings> = lazyStrings<ActingKey>(
  en,
  actingLoaders,
);
