import { loadTable } from '../../negotiate-locale.ts';
import type { LanguageName } from '../index.ts';
import type { ContentLocale } from './en.ts';

/** The strings of content items in the languages beside English. */
export const contentLoaders: Readonly<Record<LanguageName, () => Promise<ContentLocale>>> = {
  de: () => import('./de.ts').then((part) => part.de),
  es: () => import('./es.ts').then((part) => part.es),
  fr: () => import('./fr.ts').then((part) => part.fr),
  it: () => import('./it.ts').then((part) => part.it),
  'pt-BR': () => import('./pt-br.ts').then((part) => part.ptBR),
  ja: () => import('./ja.ts').then((part) => part.ja),
  ko: () => import('./ko.ts').then((part) => part.ko),
  'zh-CN': () => import('./zh-cn.ts').then((part) => part.zhCN),
  'zh-TW': () => import('./zh-tw.ts').then((part) => part.zhTW),
  ar: () => import('./ar.ts').then((part) => part.ar),
  he: () => import('./he.ts').then((part) => part.he),
};

/**
 * Loads the strings of content items in the language of a BCP 47 tag; undefined for English.
 * @throws TypeError when the table cannot be fetched.
 */
export function loadContentTable(tag: string): Promise<ContentLocale | undefined> {
  return loadTable(contentLoaders, tag);
}
