import type { LitElement } from 'lit';
import { defineElement } from './define-element.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Delay until a failed module is loaded again, in ms. */
export const retryDelayMs = 3_000;

/**
 * An element that many conversations never show. Its class loads when the first one is rendered; Lit then upgrades
 * the elements that are already there.
 */
export class LazyElement {
  /** True after a failure, while the class is loaded again. */
  hasFailed = false;
  readonly #tag: string;
  readonly #load: () => Promise<CustomElementConstructor>;
  /** Elements that render this one while its class is missing. */
  readonly #requesters = new Set<LitElement>();
  #isLoading = false;

  constructor(tag: string, load: () => Promise<CustomElementConstructor>) {
    this.#tag = tag;
    this.#load = load;
  }

  /** True once the class is there. */
  get isDefined(): boolean {
    return customElements.get(this.#tag) !== undefined;
  }

  /**
   * Loads the class, and retries while a requesting element is connected.
   * @param requester renders the element; updated after a failure and after success
   */
  request(requester: LitElement): void {
    if (this.isDefined) return;
    this.#requesters.add(requester);
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.load().then(
      () => {
        this.hasFailed = false;
        this.#updateRequesters();
        this.#requesters.clear();
      },
      () => {
        if (!this.hasFailed)
          diagnose(requester, 'load-failed', `<${this.#tag}> could not be loaded. Check the network.`);
        this.hasFailed = true;
        this.#updateRequesters();
        setTimeout(() => {
          this.#isLoading = false;
          for (const one of this.#requesters) if (!one.isConnected) this.#requesters.delete(one);
          const [next] = this.#requesters;
          if (next) this.request(next);
        }, retryDelayMs);
      },
    );
  }

  /**
   * Loads the class now.
   * @throws TypeError when it cannot be loaded.
   */
  async load(): Promise<void> {
    defineElement(this.#tag, await this.#load());
  }

  #updateRequesters(): void {
    for (const requester of this.#requesters) requester.requestUpdate();
  }
}
