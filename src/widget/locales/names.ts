/** The languages beside English, by the name of their table. */
export const languageNames = [
  'de',
  'es',
  'fr',
  'it',
  'pt-BR',
  'ja',
  'ko',
  'zh-CN',
  'zh-TW',
  'ar',
  'he',
] as const;

/** A language beside English. */
export type LanguageName = (typeof languageNames)[number];
