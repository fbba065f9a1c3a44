import { shallowArrayEquals } from '../../protocol/json.ts';
import type { ChatHost } from '../chat-host.ts';
import { createStrings, type StringOverrides } from '../i18n/create-strings.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { en, type Locale } from '../i18n/locales/en.ts';
import { readOption } from '../config/read-option.ts';

const none: StringOverrides = {};

/** Chooses the language of a host element and brings its words: `lang`, then the page's, then the browser's. */
export class LocaleLoader {
  /** Resolves when there are words for the panel, in the language wanted at first or in English. */
  readonly ready: Promise<void>;
  readonly #host: ChatHost;
  #key: readonly unknown[] = [];
  #isReady = false;
  #tellReady: () => void = () => undefined;

  constructor(host: ChatHost) {
    this.#host = host;
    this.ready = new Promise((resolve) => (this.#tellReady = resolve));
    this.update();
  }

  /** The panel can be drawn: every word is there. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Chooses again; does nothing while the same is wanted. */
  update(): void {
    const overrides: StringOverrides = readOption(this.#host, 'strings') ?? none;
    const wanted = wantedLanguages(this.#host, this.#host.config.lang);
    const key = [overrides, ...wanted];
    if (shallowArrayEquals(key, this.#key)) return;
    this.#key = key;
    const [first = 'en'] = wanted;
    if (/^en\b/i.test(first)) {
      this.#speak(first, en, overrides);
      return;
    }
    // an English page never fetches the list of the others
    import('../i18n/negotiate-locale.ts')
      .then((part) => part.loadLocale(wanted))
      .then(
        ({ tag, table }) => {
          if (this.#key === key) this.#speak(tag, table, overrides);
        },
        () => {
          if (this.#key === key) this.#speak('en', en, overrides);
          diagnose(
            this.#host,
            'locale-failed',
            `The words for "${first}" could not be loaded; English stands in.`,
          );
        },
      );
  }

  #speak(tag: string, table: Locale | undefined, overrides: StringOverrides): void {
    this.#isReady = true;
    this.#host.words = createStrings(tag, table ?? en, overrides);
    this.#tellReady();
  }
}

/** What is wanted for an element: its own `lang`, that of what it stands in, then the browser's languages. */
function wantedLanguages(host: HTMLElement, own: string): readonly string[] {
  const around = host.parentElement?.closest('[lang]')?.getAttribute('lang') ?? '';
  return [own, around, document.documentElement.lang, ...navigator.languages].filter(Boolean);
}
