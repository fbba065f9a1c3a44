import type { Locale, PluralForms, StringKey } from './locales/en.ts';

/** The visible words in one language, as components use them. */
export interface Strings {
  /** BCP 47 tag for `Intl`. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /**
   * The words for a key with `{name}` replaced by values; numbers are written as the language does.
   * A plural entry is chosen by the value `count`.
   */
  t(key: StringKey, values?: Readonly<Record<string, string | number>>): string;
}

/** What a host may put in place of single words. */
export type StringOverrides = Readonly<Partial<Record<StringKey, string | PluralForms>>>;

const rightToLeft = /^(ar|he)\b/;
/** Languages whose plural differs for one only, if at all: their rules and small numbers need no `Intl`, which is slow to start. */
const plainNumbers = /^(en|de|ja|ko|zh)\b/i;

/**
 * Makes the words of one language.
 * @param locale BCP 47 tag; a bad one falls back to `en`.
 * @param table The language's table; a key that is not in it shows as itself.
 * @param overrides Words a host wants otherwise.
 */
export function createStrings(
  locale: string,
  table: Partial<Locale>,
  overrides: StringOverrides = {},
): Strings {
  // both made when they are asked for: making them costs more than all else the launcher does
  let known: string | undefined;
  let plural: Intl.PluralRules | undefined;
  const tag = (): string => (known ??= supported(locale));
  const isPlain = plainNumbers.test(locale);
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
      // a host's own word may be anything as long as only the launcher has read it
      const selectForm = (entry: string | PluralForms | undefined): string | undefined =>
        typeof entry === 'string' ? entry : (entry?.[form()] ?? entry?.other);
      return `${selectForm(overrides[key]) ?? selectForm(table[key]) ?? key}`.replace(
        /\{(\w+)\}/g,
        (placeholder, name: string) => {
          const value = values[name] ?? placeholder;
          return typeof value === 'string' || (isPlain && /^\d{1,3}$/.test(`${value}`))
            ? `${value}`
            : value.toLocaleString(tag());
        },
      );
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
