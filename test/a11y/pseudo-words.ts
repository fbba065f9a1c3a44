import { en, type Locale, type StringKey } from '../../src/widget/i18n/locales/en.ts';

/**
 * A made-up language: each word is its own key in brackets, with its placeholders, like `⟦help.close⟧` or
 * `⟦table.sort {name}⟧`. What is on screen without brackets did not come from the table.
 */
export const pseudoLocale = Object.fromEntries(
  Object.entries(en).map(([key, entry]) => [
    key,
    typeof entry === 'string'
      ? marked(key, entry)
      : Object.fromEntries(Object.entries(entry).map(([form, text]) => [form, marked(key, text)])),
  ]),
) as unknown as Locale; // the keys and kinds of English

function marked(key: string, text: string): string {
  return `⟦${[key, ...(text.match(/\{\w+\}/g) ?? [])].join(' ')}⟧`;
}

/** Keys of the made-up language that stand in a text. */
export function keysIn(text: string): StringKey[] {
  return [...text.matchAll(/⟦([\w.-]+)/g)].flatMap(([, key]) =>
    key === undefined ? [] : [key as StringKey],
  ); // only keys are marked
}

/** The words in a text that are in no brackets and in Latin letters; what agents and visitors say here is Greek. */
export function strayWords(text: string): string {
  let rest = text;
  for (let before = ''; rest !== before;) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
  }
  return /[A-Za-z]{2}/.test(rest) ? rest.trim() : '';
}
