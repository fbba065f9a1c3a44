import type { Strings } from './create-strings.ts';
import { en } from './locales/content/en.ts';

/** What strings wait for; undefined once they have those of content items. */
const waiting = new WeakMap<Strings, Promise<void> | undefined>();

/**
 * Adds the strings of content items to the panel's: in their language, or in English when those cannot be fetched.
 * @returns resolves when they are added; undefined when nothing has to be waited for
 */
export function addContentStrings(words: Strings): Promise<void> | undefined {
  if (waiting.has(words)) return waiting.get(words);
  if (/^en\b/i.test(words.locale)) {
    words.add(en);
    waiting.set(words, undefined);
  } else {
    const loading = import('./locales/content/index.ts').then((module) =>
      module.loadContentTable(words.locale),
    );
    waiting.set(
      words,
      loading
        .catch(() => undefined)
        .then((table) => {
          words.add(table ?? en);
          waiting.set(words, undefined);
        }),
    );
  }
  return waiting.get(words);
}
