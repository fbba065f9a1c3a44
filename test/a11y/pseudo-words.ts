import type { StringKey } from '../../src/widget/i18n/create-strings.ts';
import { en as contentEn } from '../../src/widget/i18n/locales/content/en.ts';
import { en as extraEn } from '../../src/widget/i18n/locales/extras/en.ts';
import { en, type Locale } from '../../src/widget/i18n/locales/en.ts';

/**
 * A pseudo language: each string is its own key in brackets, with its placeholders, like `⟦help.close⟧` or
 * `⟦table.sort {name}⟧`. Text on screen without brackets does not come from the table.
 */
export const pseudoLocale = Object.fromEntries(
  Object.entries({ ...en, ...contentEn, ...extraEn }).map(([key, entry]) => [
    key,
    typeof entry === 'string'
      ? marked(key, entry)
      : Object.fromEntries(Object.entries(entry).map(([form, text]) => [form, marked(key, text)])),
  ]),
) as unknown as Locale; // the keys and kinds of English

function marked(key: string, text: string): string {
  return `⟦${[key, ...(text.match(/\{\w+\}/g) ?? [])].join(' ')}⟧`;
}

/** Keys of the pseudo language in a text. */
export function keysIn(text: string): StringKey[] {
  return [...text.matchAll(/⟦([\w.-]+)/g)].flatMap(([, key]) =>
    key === undefined ? [] : [key as StringKey],
  ); // only keys are in brackets
}

/** The Latin words in a text that are not in brackets; agents and visitors write Greek here. */
export function strayWords(text: string): string {
  let rest = text;
  for (let before = ''; rest !== before;) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
  }
  return /[A-Za-z]{2}/.test(rest) ? rest.trim() : '';
}
