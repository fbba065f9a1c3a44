import type { ChatHost, Shell } from '../chat-host.ts';
import type { PanelElement } from '../panel/panel.ts';
import { areaOf, readPanelState, storageKeyOf } from '../persistence/storage-key.ts';

/** What was written in a shell. */
interface ShellTexts {
  readonly sent: readonly string[];
  readonly typed: string;
}

/** Stores what is written in the shell. The first call for a shell also reads what the previous page has left. */
export function storeShell(host: ChatHost, shell: Shell): void {
  shell.storage ??= new ShellStorage(host, shell);
  shell.storage.store();
}

/**
 * Keeps what is written in the shell, in this tab, until a panel takes it: the page may be left before the panel is
 * there. Stores nothing before the first message, and nothing with `storage="none"`. Loads with the first letter,
 * because most panels are there before.
 */
class ShellStorage {
  readonly #host: ChatHost;
  readonly #shell: Shell;
  readonly #key: string;

  constructor(host: ChatHost, shell: Shell) {
    this.#host = host;
    this.#shell = shell;
    this.#key = `${storageKeyOf(host)} shell`;
    const left = this.#read();
    if (!left) return;
    if (host.shell === shell) this.#show(left.sent.concat(shell.sent), [left.typed, shell.field.value]);
    else this.#handOver(left);
  }

  /** Stores the texts. */
  store(): void {
    const { sent, field } = this.#shell;
    const { config, shell } = this.#host;
    if (shell !== this.#shell) return; // the panel has taken over
    attempt(() => {
      const area = areaOf(config);
      const [, , , visitor = sent.length > 0 ? config.visitor : undefined] = readPanelState(this.#host);
      if (!area || visitor !== config.visitor) return;
      const texts: ShellTexts = { sent, typed: field.value };
      sessionStorage.setItem(this.#key, JSON.stringify(texts));
      area.setItem(storageKeyOf(this.#host), `1 0 ${visitor}`); // the next page opens the chat
      addEventListener('pageshow', this.#onPageShow);
    });
  }

  /** Called when a panel takes the texts over. */
  end(): void {
    removeEventListener('pageshow', this.#onPageShow);
    attempt(() => sessionStorage.removeItem(this.#key));
  }

  /** The stored texts of this visitor. */
  #read(): ShellTexts | undefined {
    return attempt(() => {
      if (readPanelState(this.#host)[3] !== this.#host.config.visitor) return undefined;
      const stored = sessionStorage.getItem(this.#key);
      return stored ? (JSON.parse(stored) as ShellTexts) : undefined; // written by `store`
    });
  }

  /** Replaces the texts of the shell. */
  #show(sent: readonly string[], typed: readonly string[]): void {
    const { element, field } = this.#shell;
    element.querySelector('.list')?.replaceChildren();
    this.#shell.sent.splice(0, Infinity, ...sent);
    for (const text of sent) this.#shell.show(text);
    field.value = typed.filter(Boolean).join('\n');
  }

  /** Passes texts to a panel that was there first. */
  #handOver({ sent, typed }: ShellTexts): void {
    const composer = this.#host.renderRoot.querySelector<PanelElement>('agent-chat-panel')?.composer;
    if (!composer) return;
    this.end();
    for (const text of sent) composer.sendEarly(text);
    if (typed) void composer.restoreText(typed);
  }

  /** On a page from the back/forward cache: another page may have sent the texts meanwhile. */
  readonly #onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    const { sent, typed } = this.#read() ?? { sent: [], typed: '' };
    this.#show(sent, [typed]);
  };
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined; // storage is full or blocked
  }
}
