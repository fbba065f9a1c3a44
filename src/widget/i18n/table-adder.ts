import type { Strings, StringTable } from './create-strings.ts';

/**
 * Adds a table to the panel's strings, in their language: each once, however many ask for it.
 * @returns resolves when it is added; undefined when nothing has to be waited for
 */
export type TableAdder = (words: Strings) => Promise<void> | undefined;

/**
 * Creates a function that adds one table: the English one, too, where another cannot be fetched.
 * @param en the English table
 * @param load fetches the table for a BCP 47 tag; undefined stands for English
 */
export function tableAdder(
  en: StringTable,
  load: (tag: string) => Promise<StringTable | undefined>,
): TableAdder {
  /** What strings wait for; undefined once they have the table. */
  const known = new WeakMap<Strings, Promise<void> | undefined>();
  const fetchTable = async (words: Strings): Promise<void> => {
    const table = await load(words.locale).catch(() => undefined);
    words.add(table ?? en);
    known.set(words, undefined);
  };
  return (words) => {
    if (known.has(words)) return known.get(words);
    const isEnglish = /^en\b/i.test(words.locale);
    if (isEnglish) words.add(en);
    known.set(words, isEnglish ? undefined : fetchTable(words));
    return known.get(words);
  };
}
