import type { ActingKey } from './locales/acting/en.ts';
import type { ContentKey } from './locales/content/en.ts';
import type { ExtraKey } from './locales/extras/en.ts';
import type { MainKey, PluralForms } from './locales/en.ts';

/** A key of the main table, or of one that is added with the first that needs it. */
export type StringKey = MainKey | ContentKey | ActingKey | ExtraKey;
/** Strings by key. */
export type StringTable = Readonly<Partial<Record<StringKey, string | PluralForms>>>;

/** The visible strings in one language. */
export interface Strings {
  /** BCP 47 tag for `Intl`. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /**
   * Returns the string for a key and replaces each `{name}` with its value; numbers are formatted for the locale.
   * The value `count` selects the plural form.
   */
  t(key: StringKey, values?: Readonly<Record<string, string | number>>): string;
  /** Adds strings of the same language that have loaded later. */
  add(table: StringTable): void;
}

/** Strings that the page replaces, by key. */
export type StringOverrides = Readonly<Partial<Record<StringKey, string | PluralForms>>>;

const rightToLeft = /^(ar|he)\b/;
/**
 * Languages without plurals, or with a special form for one only. Their plurals and small numbers are formatted without
 * `Intl`, which is slow to initialize.
 */
const plainNumbers = /^(en|de|ja|ko|zh)\b/i;

/**
 * Creates the strings of one language.
 * @param locale BCP 47 tag; an invalid one falls back to `en`
 * @param table the language's table; a missing key returns the key itself
 * @param overrides strings that the page replaces
 */
export function createStrings(locale: string, table: StringTable, overrides: StringOverrides = {}): Strings {
  // create both on first use: it takes longer than everything else in the launcher
  let known: string | undefined;
  let plural: Intl.PluralRules | undefined;
  const tag = (): string => (known ??= supported(locale));
  const isPlain = plainNumbers.test(locale);
  let strings = table;
  return {
    get locale() {
      return tag();
    },
    get direction() {
      return rightToLeft.test(tag()) ? 'rtl' : 'ltr';
    },
    t(key, values = {}) {
      const count = Number(values['count']);
      const form = (): Intl.LDMLPluralRule =>
        isPlain ? (count === 1 ? 'one' : 'other') : (plural ??= new Intl.PluralRules(tag())).select(count);
      // unvalidated: a page's override may be anything
      const selectForm = (entry: string | PluralForms | undefined): string | undefined =>
        typeof entry === 'string' ? entry : (entry?.[form()] ?? entry?.other);
      return `${selectForm(overrides[key]) ?? selectForm(strings[key]) ?? key}`.replace(
        /\{(\w+)\}/g,
        (placeholder, name: string) => {
          const value = values[name] ?? placeholder;
          return typeof value === 'string' || (isPlain && /^\d{1,3}$/.test(`${value}`))
            ? `${value}`
            : value.toLocaleString(tag());
        },
      );
    },
    add(more) {
      strings = { ...more, ...strings };
    },
  };
}

function supported(locale: string): string {
  try {
    return Intl.PluralRules.supportedLocalesOf(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
