import { en } from './locales/acting/en.ts';
import { actingLoaders } from './locales/acting/index.ts';
import { loadTable } from './negotiate-locale.ts';
import type { Strings } from './strings.ts';
import { tableAdder, type TableAdder } from './table-adder.ts';

/** Adds the strings of decisions and page tools to the panel's. */
const addActingStrings: TableAdder = tableAdder(en, (tag) => loadTable(actingLoaders, tag));

/**
 * Waits until the panel's strings include those of decisions and page tools.
 * @param words returns the current strings: the language may change while a table loads
 */
export async function waitForActingStrings(words: () => Strings): Promise<void> {
  for (let added = addActingStrings(words()); added; added = addActingStrings(words())) await added;
}
