import { en } from './locales/extras/en.ts';
import { extraLoaders } from './locales/extras/index.ts';
import { loadTable } from './negotiate-locale.ts';
import { tableAdder, type TableAdder } from './table-adder.ts';

/** Adds the strings of conversations, speech, the help and connections that nothing makes to the panel's. */
export const addExtraStrings: TableAdder = tableAdder(en, (tag) => loadTable(extraLoaders, tag));
