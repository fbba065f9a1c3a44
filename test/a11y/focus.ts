import { expect } from '@playwright/test';
import type { EnginePage } from '../engines/engine-page.ts';

/** The focused element as a person would name it: role or tag, and name; `page` for none. */
export function focused(page: EnginePage): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (!element || element === document.body) return 'page';
    const root = element.getRootNode() as Document | ShadowRoot;
    const byId = (ids: string | null): string =>
      (ids ?? '')
        .split(' ')
        .map((id) => (id ? (root.querySelector(`[id="${id}"]`)?.textContent ?? '') : ''))
        .join(' ');
    const control = element as HTMLInputElement;
    const name =
      element.getAttribute('aria-label') ||
      byId(element.getAttribute('aria-labelledby')) ||
      [...(control.labels ?? [])].map((label) => label.textContent).join(' ') ||
      element.textContent ||
      '';
    const role = element.getAttribute('role') ?? element.localName;
    return `${role}: ${name.replace(/\s+/g, ' ').trim()}`;
  }, undefined);
}

/** Presses a key until an element with this name has focus; returns the path there, including it. */
export async function pressUntil(
  page: EnginePage,
  key: string,
  wanted: string,
  most = 25,
): Promise<string[]> {
  const way: string[] = [];
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press(key);
    const now = await focused(page);
    way.push(now);
    if (now.includes(wanted)) return way;
  }
  throw new Error(`${key} never reached ${wanted}; it went ${way.join(' → ')}`);
}

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
