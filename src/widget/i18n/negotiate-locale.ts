import type { Locale } from './locales/en.ts';
import { languageNames, localeLoaders, type LanguageName } from './locales/index.ts';

/** A locale: the requested tag, and the table with its strings. */
export interface NegotiatedLocale {
  /** Canonical BCP 47 tag for `Intl` and `lang`; `de-AT` keeps its own dates and numbers. */
  readonly tag: string;
  readonly name: LanguageName | 'en';
}

/**
 * Returns the first requested locale that has a table; English if there is none.
 * @param wanted BCP 47 tags in order of preference
 */
export function negotiateLocale(requested: readonly string[]): NegotiatedLocale {
  for (const tag of requested) {
    const name = tableNameOf(tag);
    if (name) return { tag: canonical(tag) ?? name, name };
  }
  return { tag: 'en', name: 'en' };
}

/**
 * Loads the strings of the first supported locale; without a table for English.
 * @throws TypeError when the table cannot be loaded.
 */
export async function loadLocale(
  requested: readonly string[],
): Promise<{ readonly tag: string; readonly table: Locale | undefined }> {
  const { tag } = negotiateLocale(requested);
  return { tag, table: await loadTable(localeLoaders, tag) };
}

/**
 * Loads one of a series of tables: that of the language of a BCP 47 tag; undefined for English.
 * @throws TypeError when the table cannot be fetched.
 */
export async function loadTable<Table>(
  loaders: Readonly<Record<LanguageName, () => Promise<Table>>>,
  tag: string,
): Promise<Table | undefined> {
  const { name, tag: known } = negotiateLocale([tag]);
  if (name === 'en') return undefined;
  const table = await loaders[name]();
  return /^de\b.*-(CH|LI)\b/.test(known) ? swissSpelling(table) : table;
}

const swissMarks: Readonly<Record<string, string>> = { ß: 'ss', '„': '«', '“': '»' };

/** German as Switzerland and Liechtenstein write it. */
function swissSpelling<Table>(table: Table): Table {
  const text = JSON.stringify(table).replace(/[ß„“]/g, (mark) => swissMarks[mark] ?? mark);
  return JSON.parse(text) as Table; // the same keys and kinds of entry
}

/** The table for a tag: its own, its script's, or its language's. */
function tableNameOf(tag: string): LanguageName | 'en' | undefined {
  const [language = '', ...parts] = tag.trim().toLowerCase().split(/[-_]/);
  if (language === 'en') return 'en';
  if (language === 'pt') return 'pt-BR';
  if (language === 'iw') return 'he';
  if (language === 'zh') {
    const isTraditional = !parts.includes('hans') && parts.some((part) => traditional.has(part));
    return isTraditional ? 'zh-TW' : 'zh-CN';
  }
  return languageNames.find((name) => name === language);
}

/**
 * Canonical form of a tag; undefined for invalid ones. Many content systems write `ar_EG`, which `Intl` and screen
 * readers reject.
 */
function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

const traditional: ReadonlySet<string> = new Set(['tw', 'hk', 'mo', 'hant']);
