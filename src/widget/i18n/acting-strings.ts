import { createStrings, type Strings } from './create-strings.ts';
import { en, type ActingKey, type ActingLocale } from './locales/acting/en.ts';
import { actingLoaders } from './locales/acting/index.ts';
import { negotiateLocale } from './negotiate-locale.ts';
import type { StringKey } from './strings.ts';

/** Returns the string for a key of the acting tables; the page's own where it has replaced one. */
export type ActingStrings = (key: ActingKey, values?: Readonly<Record<string, string | number>>) => string;

const loaded = new Map<string, ActingLocale>([['en', en]]);

/**
 * Loads the strings of decisions and page tools in the language of the other strings; English when that fails.
 * @param words the strings in force; their overrides apply here too
 */
export async function loadActingStrings(words: Strings): Promise<ActingStrings> {
  const { name } = negotiateLocale([words.locale]);
  if (name !== 'en' && !loaded.has(name)) {
    const table = await actingLoaders[name]().catch(() => undefined); // asked again by the next card
    if (table) loaded.set(name, table);
  }
  const own = createStrings(words.locale, (loaded.get(name) ?? en) as Record<string, string>);
  return (key, values) => {
    // keys of the acting tables are not in the panel's: a known one was replaced by the page
    const replaced = words.t(key as StringKey, values);
    return replaced === key ? own.t(key as StringKey, values) : replaced;
  };
}
