import type { Locale } from './locales/en.ts';
import { languageNames, localeLoaders, type LanguageName } from './locales/index.ts';

/** A language to speak: the tag as it was asked for, and the table that has its words. */
export interface NegotiatedLocale {
  /** BCP 47, canonical, for `Intl` and `lang`: `de-AT` keeps its own dates and numbers. */
  readonly tag: string;
  readonly name: LanguageName | 'en';
}

/**
 * The first wanted tag that there are words for; English when there is none.
 * @param wanted BCP 47 tags, best first.
 */
export function negotiateLocale(wanted: readonly string[]): NegotiatedLocale {
  for (const tag of wanted) {
    const name = tableNameOf(tag);
    if (name) return { tag: canonical(tag) ?? name, name };
  }
  return { tag: 'en', name: 'en' };
}

/**
 * The first wanted language with its words; no table: English.
 * @throws TypeError when the table cannot be fetched.
 */
export async function loadLocale(
  wanted: readonly string[],
): Promise<{ readonly tag: string; readonly table: Locale | undefined }> {
  const { tag, name } = negotiateLocale(wanted);
  return { tag, table: name === 'en' ? undefined : await localeLoaders[name]() };
}

/** The table for a tag: its own, its script's, or its language's. */
function tableNameOf(tag: string): LanguageName | 'en' | undefined {
  const [language = '', ...parts] = tag.trim().toLowerCase().split(/[-_]/);
  if (language === 'en') return 'en';
  if (language === 'pt') return 'pt-BR';
  if (language === 'iw') return 'he';
  if (language === 'zh') return parts.some((part) => traditional.has(part)) ? 'zh-TW' : 'zh-CN';
  return languageNames.find((name) => name === language);
}

/** Many content systems write `ar_EG`, which `Intl` and screen readers do not take; nothing for what is no tag at all. */
function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

const traditional: ReadonlySet<string> = new Set(['tw', 'hk', 'mo', 'hant']);
