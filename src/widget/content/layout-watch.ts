/** Calls back whenever scrolling, resizing or an on-screen keyboard moves what a popover stands beside. */
export class LayoutWatch {
  readonly #onMove: (event: Event) => void;

  constructor(onMove: (event: Event) => void) {
    this.#onMove = onMove;
  }

  start(): void {
    addEventListener('scroll', this.#onMove, true);
    addEventListener('resize', this.#onMove);
    visualViewport?.addEventListener('resize', this.#onMove);
  }

  stop(): void {
    removeEventListener('scroll', this.#onMove, true);
    removeEventListener('resize', this.#onMove);
    visualViewport?.removeEventListener('resize', this.#onMove);
  }
}
