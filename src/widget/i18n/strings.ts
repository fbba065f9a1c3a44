import { createStrings, type Strings } from './create-strings.ts';
import { en } from './locales/en.ts';

export { createStrings, type StringKey, type StringOverrides, type Strings } from './create-strings.ts';
export type { Locale } from './locales/en.ts';

/** English strings, for components used without a locale. */
export const defaultStrings: Strings = createStrings('en', en);
