import type { LitElement } from 'lit';
import { defineElement } from './define-element.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Delay until a failed module is loaded again, in ms. */
export const retryDelayMs = 3_000;
/** Delay before content that follows an answer is loaded, in ms: the end of the answer is painted first. */
export const paintDelayMs = 60;

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
  readonly #askers = new Set<LitElement>();
  #isComing = false;

  constructor(tag: string, load: () => Promise<CustomElementConstructor>) {
    this.#tag = tag;
    this.#load = load;
  }

  /**
   * Loads the class, and retries while a requesting element is connected.
   * @param asker renders the element; updated after a failure and after success
   * @param pause maximum delay, in ms
   */
  request(asker: LitElement, pause = 0): void {
    if (customElements.get(this.#tag)) return;
    this.#askers.add(asker);
    if (this.#isComing) return;
    this.#isComing = true;
    const ready = pause ? new Promise((resolve) => setTimeout(resolve, pause)) : Promise.resolve();
    ready
      .then(() => this.load())
      .then(
        () => {
          if (this.hasFailed) this.#drawAgain();
          this.hasFailed = false;
          this.#askers.clear();
        },
        () => {
          if (!this.hasFailed)
            diagnose(asker, 'load-failed', `<${this.#tag}> could not be loaded. Check the network.`);
          this.hasFailed = true;
          this.#drawAgain();
          setTimeout(() => {
            this.#isComing = false;
            for (const one of this.#askers) if (!one.isConnected) this.#askers.delete(one);
            const [next] = this.#askers;
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

  #drawAgain(): void {
    for (const asker of this.#askers) asker.requestUpdate();
  }
}
