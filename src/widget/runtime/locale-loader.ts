import { shallowArrayEquals } from '../../protocol/json.ts';
import type { ChatHost } from '../chat-host.ts';
import { createStrings, type StringOverrides } from '../i18n/create-strings.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { en, type Locale } from '../i18n/locales/en.ts';
import { readOption } from '../config/read-option.ts';

const none: StringOverrides = {};

/**
 * Chooses the locale for a host element and loads its strings. Order: the element's `lang`, the page's, the
 * browser's.
 */
export class LocaleLoader {
  /** Resolves when the panel has strings, in the requested language or in English. */
  readonly ready: Promise<void>;
  readonly #host: ChatHost;
  #key: readonly unknown[] = [];
  #isReady = false;
  #resolveReady: () => void = () => undefined;

  constructor(host: ChatHost) {
    this.#host = host;
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
    this.update();
  }

  /** True when all strings for the panel are loaded. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Chooses the locale again; does nothing when the requested languages have not changed. */
  update(): void {
    const overrides: StringOverrides = readOption(this.#host, 'strings') ?? none;
    const requested = requestedLanguages(this.#host, this.#host.config.lang);
    const key = [overrides, ...requested];
    if (shallowArrayEquals(key, this.#key)) return;
    this.#key = key;
    const [first = 'en'] = requested;
    if (/^en\b/i.test(first)) {
      this.#applyLocale(first, en, overrides);
      return;
    }
    // loaded on demand: English pages never need the list of locales
    import('../i18n/negotiate-locale.ts')
      .then((module) => module.loadLocale(requested))
      .then(
        ({ tag, table }) => {
          if (this.#key === key) this.#applyLocale(tag, table, overrides);
        },
        () => {
          if (this.#key === key) this.#applyLocale('en', en, overrides);
          diagnose(
            this.#host,
            'locale-failed',
            `The strings for "${first}" could not be loaded; English is shown.`,
          );
        },
      );
  }

  #applyLocale(tag: string, table: Locale | undefined, overrides: StringOverrides): void {
    this.#isReady = true;
    this.#host.words = createStrings(tag, table ?? en, overrides);
    this.#resolveReady();
  }
}

/** Requested languages in order: the element's `lang`, its ancestors', the browser's. */
function requestedLanguages(host: HTMLElement, own: string): readonly string[] {
  const inherited = host.parentElement?.closest('[lang]')?.getAttribute('lang') ?? '';
  return [own, inherited, document.documentElement.lang, ...navigator.languages].filter(Boolean);
}
