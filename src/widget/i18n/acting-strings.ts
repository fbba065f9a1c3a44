import { en } from './locales/acting/en.ts';
import { actingLoaders } from './locales/acting/index.ts';
import { loadTable } from './negotiate-locale.ts';
import type { Strings } from './strings.ts';
import { tableAdder, type TableAdder } from './table-adder.ts';

/** Adds the strings of decisions and page tools to the panel's. */
const addActingStrings: TableAdder = tableAdder(en, (tag) => loadTable(actingLoaders, tag));

/**
 * Waits until the panel's strings have them.
 * @param words returns the strings in force: the language may change while those of another one load
 */
export async function waitForActingStrings(words: () => Strings): Promise<void> {
  for (let added = addActingStrings(words()); added; added = addActingStrings(words())) await added;
}
