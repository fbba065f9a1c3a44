import { en } from './locales/content/en.ts';
import { tableAdder, type TableAdder } from './table-adder.ts';

/** Adds the strings of content items to the panel's. */
export const addContentStrings: TableAdder = tableAdder(en, async (tag) => {
  const module = await import('./locales/content/index.ts');
  return module.loadContentTable(tag);
});
