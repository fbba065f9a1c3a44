import { en } from './locales/acting/en.ts';
import { actingLoaders } from './locales/acting/index.ts';
import { loadTable } from './negotiate-locale.ts';
import { tableAdder, type TableAdder } from './table-adder.ts';

/** Adds the strings of decisions and page tools to the panel's. */
export const addActingStrings: TableAdder = tableAdder(en, (tag) => loadTable(actingLoaders, tag));
