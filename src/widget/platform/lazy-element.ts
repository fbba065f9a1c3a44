import type { LitElement } from 'lit';
import { defineElement } from './define-element.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** How long until what could not be fetched is asked for again, in milliseconds. */
export const retryDelayMs = 3_000;
/** How long an answer goes before what is added to it once it is finished, in milliseconds: its end is painted first. */
export const paintDelayMs = 60;

/**
 * An element that many conversations never show: its class is loaded when the first of them is drawn. Lit then hands it
 * the properties it was drawn with.
 */
export class LazyElement {
  /** It could not be fetched; it is being asked for again. */
  hasFailed = false;
  readonly #tag: string;
  readonly #load: () => Promise<CustomElementConstructor>;
  /** Who draws the element, while it is not there yet. */
  readonly #askers = new Set<LitElement>();
  #isComing = false;

  constructor(tag: string, load: () => Promise<CustomElementConstructor>) {
    this.#tag = tag;
    this.#load = load;
  }

  /**
   * Fetches the class, and goes on trying while one that asked is in the page.
   * @param asker draws the element; drawn again when that fails and when it succeeds after all.
   * @param pause how long that can wait, in milliseconds
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
   * Fetches the class now, for nobody yet.
   * @throws TypeError when it cannot be fetched.
   */
  async load(): Promise<void> {
    defineElement(this.#tag, await this.#load());
  }

  #drawAgain(): void {
    for (const asker of this.#askers) asker.requestUpdate();
  }
}
