import { createWords, type Words } from './create-strings.ts';
import { en } from './locales/en.ts';

export { createWords, type WordOverrides, type Words } from './create-strings.ts';
export type { Locale, WordKey } from './locales/en.ts';

/** English, for components used without a locale around them. */
export const defaultWords: Words = createWords('en', en);
