import { createStrings, type Strings } from './create-strings.ts';
import type { LanguageName } from './locales/index.ts';
import type { PluralForms } from './locales/en.ts';
import { negotiateLocale } from './negotiate-locale.ts';
import type { Locale, StringKey } from './strings.ts';

/** Returns the string for a key of a table that loads later; the page's own where it has replaced one. */
export type LazyStrings<Key extends string> = (
  key: Key,
  values?: Readonly<Record<string, string | number>>,
) => string;

type Table<Key extends string> = Readonly<Record<Key, string | PluralForms>>;

/**
 * Returns a function that loads strings in the language of the panel's strings, which it is given; English when that
 * fails. The page's overrides of those apply here too.
 */
export function lazyStrings<Key extends string>(
  en: Table<Key>,
  loaders: Readonly<Record<LanguageName, () => Promise<Table<Key>>>>,
): (words: Strings) => Promise<LazyStrings<Key>> {
  const loaded = new Map<string, Table<Key>>([['en', en]]);
  return async (words) => {
    const { name } = negotiateLocale([words.locale]);
    if (name !== 'en' && !loaded.has(name)) {
      const table = await loaders[name]().catch(() => undefined); // tried again by the next caller
      if (table) loaded.set(name, table);
    }
    const own = createStrings(words.locale, (loaded.get(name) ?? en) as Partial<Locale>); // keys of its own
    return (key, values) => {
      // keys of these tables are not in the panel's: a known one was replaced by the page
      const replaced = words.t(key as never as StringKey, values);
      return replaced === key ? own.t(key as never as StringKey, values) : replaced;
    };
  };
}
