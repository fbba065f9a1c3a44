import { createWords, type Words } from './create-strings.ts';
import { english } from './english.ts';

export { createWords, type WordOverrides, type Words } from './create-strings.ts';
export type { Locale, WordKey } from './locales/en.ts';

/** English, for leaves used without a language around them; as far as it is there. */
export const defaultWords: Words = createWords('en', english);
