import type { Locale } from './en.ts';

/** The languages beside English, each fetched when it is wanted. */
export const localeLoaders = {
  de: () => import('./de.ts').then((module) => module.de),
  es: () => import('./es.ts').then((module) => module.es),
  fr: () => import('./fr.ts').then((module) => module.fr),
  it: () => import('./it.ts').then((module) => module.it),
  'pt-BR': () => import('./pt-br.ts').then((module) => module.ptBR),
  ja: () => import('./ja.ts').then((module) => module.ja),
  ko: () => import('./ko.ts').then((module) => module.ko),
  'zh-CN': () => import('./zh-cn.ts').then((module) => module.zhCN),
  'zh-TW': () => import('./zh-tw.ts').then((module) => module.zhTW),
  ar: () => import('./ar.ts').then((module) => module.ar),
  he: () => import('./he.ts').then((module) => module.he),
} satisfies Record<string, () => Promise<Locale>>;

/** A language beside English, by the name of its table. */
export type LanguageName = keyof typeof localeLoaders;
/** Every language beside English. */
export const languageNames = Object.keys(localeLoaders) as LanguageName[]; // keys of a literal
