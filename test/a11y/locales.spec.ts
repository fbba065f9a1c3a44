import { expect, test } from '@playwright/test';
import { loadLocale, loadTable, negotiateLocale } from '../../src/widget/i18n/negotiate-locale.ts';
import { createStrings } from '../../src/widget/i18n/create-strings.ts';
import { en as mainEn, type PluralForms } from '../../src/widget/i18n/locales/en.ts';
import { en as contentEn } from '../../src/widget/i18n/locales/content/en.ts';
import { contentLoaders } from '../../src/widget/i18n/locales/content/index.ts';
import { en as actingEn } from '../../src/widget/i18n/locales/acting/en.ts';
import { actingLoaders } from '../../src/widget/i18n/locales/acting/index.ts';
import { en as extraEn } from '../../src/widget/i18n/locales/extras/en.ts';
import { extraLoaders } from '../../src/widget/i18n/locales/extras/index.ts';
import { languageNames, localeLoaders } from '../../src/widget/i18n/locales/index.ts';
import { expectSame } from '../tools/expect-same.ts';

/** The main table and that of content items; no key is in both. */
const en = { ...mainEn, ...contentEn };
type Key = keyof typeof en;
const keys = Object.keys(en) as Key[]; // keys of a literal
const formsOf = (entry: string | PluralForms): string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry);
const placeholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();

/** Numbers that cover every plural category of our languages. */
const counts = [0, 1, 2, 3, 6, 11, 21, 100, 101, 1_000_000];

for (const name of languageNames) {
  test.describe(name, () => {
    let table: Readonly<Record<Key, string | PluralForms>>;
    test.beforeAll(async () => {
      table = { ...(await localeLoaders[name]()), ...(await contentLoaders[name]()) };
    });

    test('has every string, none empty, with the same placeholders as English', () => {
      expect(Object.keys(table).sort()).toEqual([...keys].sort());
      for (const key of keys) {
        const wanted = placeholders(formsOf(en[key]).at(-1) ?? '');
        for (const text of formsOf(table[key])) {
          expectSame(text.trim(), text, key);
          expectSame(text === '', false, key);
          const got = placeholders(text);
          // a form for exactly one or two may write the number as a word
          const isAlike =
            got === wanted || (typeof en[key] !== 'string' && got === wanted.replace(/\{count\},?/, ''));
          if (!isAlike) expect(got, key).toBe(wanted);
        }
      }
    });

    test('spells what belongs together without a space that breaks the line', async () => {
      const tables = [table, await actingLoaders[name](), await extraLoaders[name]()];
      const texts = tables.flatMap((part) => Object.values<string | PluralForms>(part).flatMap(formsOf));
      // French sets a narrow space before high punctuation and inside its quotation marks, German one before an ellipsis
      expect(texts.filter((text) => / [:;?!»…]|« /.test(text))).toEqual([]);
    });

    test('has a plural form for every number, and only categories the language knows', () => {
      const rules = new Intl.PluralRules(name);
      const categories = rules.resolvedOptions().pluralCategories;
      const words = createStrings(name, table);
      for (const key of keys) {
        const entry: string | PluralForms = table[key];
        if (typeof entry === 'string') continue;
        expect(categories, key).toEqual(expect.arrayContaining(Object.keys(entry)));
        for (const count of counts) {
          const text = words.t(key, { count, name: 'x', limit: 1 });
          expectSame(text.includes('{count}'), false, `${key} ${count}`);
          const form = entry[rules.select(count)] ?? entry.other;
          expectSame(text, form.replace('{count}', new Intl.NumberFormat(name).format(count)));
          if (formsOf(en[key]).at(-1)?.includes('{count}') && !form.includes('{count}'))
            expectSame([0, 1, 2].includes(count), true, `${key} ${count} hides its number`);
        }
      }
    });

    test('has every string of decisions and page tools, none of them English', async () => {
      const acting: Readonly<Record<string, string>> = await actingLoaders[name]();
      expect(Object.keys(acting).sort()).toEqual(Object.keys(actingEn).sort());
      for (const [key, english] of Object.entries(actingEn)) {
        expectSame(acting[key]?.trim(), acting[key], key);
        expectSame(acting[key] === english, false, key);
        expectSame(placeholders(acting[key] ?? ''), placeholders(english), key);
      }
    });

    test('has every string of conversations, speech and the help, none of them English', async () => {
      const extras = await extraLoaders[name]();
      expect(Object.keys(extras).sort()).toEqual(Object.keys(extraEn).sort());
      const categories = new Intl.PluralRules(name).resolvedOptions().pluralCategories;
      for (const key of Object.keys(extraEn) as (keyof typeof extraEn)[]) {
        const entry: string | PluralForms = extras[key];
        const english: string | PluralForms = extraEn[key];
        if (typeof entry !== 'string')
          expect(categories, key).toEqual(expect.arrayContaining(Object.keys(entry)));
        for (const text of formsOf(entry)) {
          expectSame(text.trim(), text, key);
          if (!sharedWords.has(text)) expectSame(text === english, false, key);
        }
        const [got = '', wanted = ''] = [entry, english].map((each) => formsOf(each).at(-1));
        expectSame(placeholders(got), placeholders(wanted), key);
      }
    });

    test('is not English under another name', () => {
      const same = keys.filter((key) => {
        const entry: string | PluralForms = en[key];
        return (
          typeof entry === 'string' && table[key] === entry && /\p{L}{2}/u.test(entry.replace(/\{\w+\}/g, ''))
        );
      });
      expect(same.filter((key) => !sharedWords.has(en[key] as string))).toEqual([]);
    });
  });
}

/** Strings that are the same in some of the languages. */
const sharedWords = new Set([
  ...[
    'Enter',
    'Shift',
    'Tab',
    'Esc',
    'Home',
    'End',
    'Online',
    'Conversations',
    'Plan',
    'Details',
    'Code',
    'Video',
    'Audio',
    'AI',
  ],
  ...[
    'Name',
    'optional',
    'Assistant',
    'Message',
    'Conversation',
    'Suggestions',
    'Image',
    'Date',
    'Option {number}',
    'App {number}',
    'Formula',
  ],
  ...['Source {number}', 'Input', 'No', '{minutes} min {seconds} s', '{count} s'],
]);

test('a tag uses its own table, its script’s, or its language’s', () => {
  const chosen = (...wanted: string[]): string => negotiateLocale(wanted).name;
  expect(chosen('de-CH')).toBe('de');
  expect(chosen('pt')).toBe('pt-BR');
  expect(chosen('pt-PT')).toBe('pt-BR');
  expect(chosen('zh')).toBe('zh-CN');
  expect(chosen('zh-Hans-SG')).toBe('zh-CN');
  expect(chosen('zh-Hans-HK')).toBe('zh-CN');
  expect(chosen('zh-HK')).toBe('zh-TW');
  expect(chosen('zh_Hant')).toBe('zh-TW');
  expect(chosen('iw')).toBe('he');
  expect(chosen('EN-gb')).toBe('en');
  // Latin and Esperanto have no table
  expect(chosen('la', 'eo', 'ko-KR')).toBe('ko');
  expect(chosen('la')).toBe('en');
});

test('German is spelled without ß, and quoted by guillemets, in Switzerland and Liechtenstein', async () => {
  const words = async (tag: string): Promise<string> =>
    JSON.stringify([await loadTable(localeLoaders, tag), await loadTable(extraLoaders, tag)]);
  for (const tag of ['de-CH', 'de_LI', 'de-Latn-CH']) {
    expect(await words(tag)).toMatch(/Chat schliessen.*Umbenannt in «\{title\}»\./);
    expect(await words(tag)).not.toMatch(/[ß„“]/);
  }
  expect(await words('de-AT')).toMatch(/Chat schließen.*Umbenannt in „\{title\}“\./);
});

test('tags with underscores, as content systems write them, and invalid tags still get strings', async () => {
  const spoken = async (wanted: string): Promise<readonly [string, string]> => {
    const { tag, table } = await loadLocale([wanted]);
    const words = createStrings(tag, table ?? en);
    return [words.locale, words.direction];
  };
  expect(await spoken('ar_EG')).toEqual(['ar-EG', 'rtl']);
  expect(await spoken('de_AT')).toEqual(['de-AT', 'ltr']);
  expect(await spoken('zh_hant_hk')).toEqual(['zh-Hant-HK', 'ltr']);
  expect(await spoken('he-!')).toEqual(['he', 'rtl']);
  expect(await spoken('en_GB')).toEqual(['en-GB', 'ltr']);
});

test('a page’s override replaces the table’s string, in every language', () => {
  const words = createStrings('de', { 'composer.send': 'Senden' }, { 'composer.send': 'Ab damit' });
  expect(words.t('composer.send')).toBe('Ab damit');
});
