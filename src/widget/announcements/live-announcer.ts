/** Delay of an announcement, in ms: some screen readers drop announcements made during a focus change. */
export const debounceMs = 250;
/**
 * How long a text stays in the region, in ms: long enough to be announced, short enough not to be found later by
 * browsing.
 */
const lifetimeMs = 5000;

/** A text, or a function that makes it when it is read out: the changes that it is about are painted first. */
export type Announcement = string | (() => string);

interface Waiting {
  readonly text: Announcement;
  readonly slot: string | undefined;
}

/**
 * Writes texts into a live region, in order, one node each, after a short delay. Only the newest text in a slot is
 * announced and stays, so that outdated statuses are neither heard nor found by browsing.
 */
export class LiveAnnouncer {
  readonly #region: () => Element | null;
  #waiting: readonly Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param region returns the element with `aria-live`; it must stay in the document, and nothing else may write
   *   into it
   */
  constructor(region: () => Element | null) {
    this.#region = region;
  }

  /** Announces a text; `''` does nothing. */
  announce(text: Announcement, slot?: string): void {
    if (!text) return;
    if (slot !== undefined) this.cancel(slot);
    this.#waiting = [...this.#waiting, { text, slot }];
    this.#timer ??= setTimeout(this.#flush, debounceMs);
  }

  /** Cancels the pending announcement in a slot, and removes a former one. Returns whether one was pending. */
  cancel(slot: string): boolean {
    this.#region()?.querySelector(`.${slot}`)?.remove();
    const before = this.#waiting;
    this.#waiting = before.filter((entry) => entry.slot !== slot);
    return this.#waiting.length < before.length;
  }

  /** Restarts the delay of pending announcements; called when focus moves. */
  postpone(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#flush, debounceMs);
  }

  /** Cancels pending announcements. Texts already in the region are still removed on time. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  readonly #flush = (): void => {
    const region = this.#region();
    // in a dialog or tab of the page that is not shown: wait until it is shown
    if (region?.checkVisibility?.() === false) {
      const onShown: ResizeObserverCallback = (_entries, observer) => {
        observer.disconnect();
        this.postpone();
      };
      return new ResizeObserver(onShown).observe(region);
    }
    this.#timer = undefined;
    const texts = this.#waiting;
    this.#waiting = [];
    if (!region) return;
    for (const { text: announcement, slot = '' } of texts) {
      const text = typeof announcement === 'string' ? announcement : announcement();
      if (!text.trim()) continue;
      const line = document.createElement('div');
      line.className = slot;
      line.dir = 'auto';
      line.textContent = text;
      region.append(line);
      setTimeout(() => line.remove(), lifetimeMs);
    }
  };
}
