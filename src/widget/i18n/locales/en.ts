import { enAnswered } from './en-answered.ts';
import { enFirst } from './en-first.ts';
import { enLate } from './en-late.ts';

/**
 * Every visible word of the widget, in English. The other languages have the same keys or they do not compile.
 * `{name}` stands for a value. An entry with `one`/`other` is chosen by `Intl.PluralRules` on `{count}`.
 */
export const en = { ...enFirst, ...enAnswered, ...enLate } satisfies Record<string, string | PluralForms>;

/** One text per plural category of the language; `other` is always there. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
/** A key of the table. */
export type WordKey = keyof typeof en;
/** A whole language: each key with the same kind of entry as in English. */
export type Locale = { readonly [Key in WordKey]: (typeof en)[Key] extends string ? string : PluralForms };
