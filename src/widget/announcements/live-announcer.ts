/** How long an announcement waits, in milliseconds: one made while focus moves is dropped by some screen readers. */
export const debounce = 250;
/** How long a text stands in the region, in milliseconds: long enough to be taken, short enough not to be met again. */
const lifetime = 5000;

interface Waiting {
  readonly text: string;
  readonly slot: string | undefined;
}

/**
 * Puts texts into a live region, one node each, in order, a moment after they were asked for. Of texts in the same
 * slot only the newest is said, so that a status that is already over is not.
 */
export class LiveAnnouncer {
  readonly #region: () => Element | null;
  #waiting: readonly Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sweep: ReturnType<typeof setTimeout> | undefined;

  /** @param region The element with `aria-live`; always in the document, and nothing else writes into it. */
  constructor(region: () => Element | null) {
    this.#region = region;
  }

  /** Says a text; `''` says nothing. */
  announce(text: string, slot?: string): void {
    if (!text.trim()) return;
    if (slot !== undefined) this.cancel(slot);
    this.#waiting = [...this.#waiting, { text, slot }];
    this.#timer ??= setTimeout(this.#flush, debounce);
  }

  /** Takes back what waits in a slot. */
  cancel(slot: string): void {
    this.#waiting = this.#waiting.filter((entry) => entry.slot !== slot);
  }

  /** Focus has moved: what waits waits from now. */
  postpone(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#flush, debounce);
  }

  /** Forgets what waits. What stands in the region is still swept out of it. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  readonly #flush = (): void => {
    this.#timer = undefined;
    const region = this.#region();
    const texts = this.#waiting;
    this.#waiting = [];
    if (!region) return;
    for (const { text } of texts) {
      const line = document.createElement('div');
      line.dir = 'auto';
      line.textContent = text;
      region.append(line);
    }
    clearTimeout(this.#sweep);
    this.#sweep = setTimeout(() => region.replaceChildren(), lifetime);
  };
}
