import { expect } from '@playwright/test';
import type { EnginePage } from '../engines/engine-page.ts';
import { focused, pressUntil } from './focus.ts';

/** Walks with the keyboard only, and records what had focus. */
export class KeyboardWalk {
  readonly #page: EnginePage;
  #way: string[] = [];

  constructor(page: EnginePage) {
    this.#page = page;
  }

  /** The focused elements since the last call; an element is listed once per visit. */
  takeWay(): readonly string[] {
    const way = this.#way;
    this.#way = [];
    return way;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
      this.#note(await focused(this.#page));
    }
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Presses a key, a limited number of times, until an element with this name has focus. */
  async pressUntil(key: string, place: string): Promise<void> {
    for (const at of await pressUntil(this.#page, key, place)) this.#note(at);
  }

  /** Presses a key and waits until it has moved focus to an element. */
  async pressTo(key: string, place: string): Promise<void> {
    await this.#page.keyboard.press(key);
    await expect.poll(() => focused(this.#page), { timeout: 15_000 }).toBe(place);
    this.#note(place);
  }

  #note(place: string): void {
    const at = place.replace(/ · .+$/, ''); // the duration varies
    if (at !== this.#way.at(-1)) this.#way.push(at);
  }
}
