const events = [
  [window, 'online'],
  [window, 'offline'],
  [window, 'pagehide'],
  [window, 'pageshow'],
  [document, 'visibilitychange'],
] as const;

/** A handler for each event of the page's life cycle. */
export type PageLifecycleHandlers = Readonly<Record<(typeof events)[number][1], () => void>>;

/** Listens to the page's life-cycle events between `start()` and `stop()`. */
export class PageLifecycle {
  readonly #handlers: PageLifecycleHandlers;

  constructor(handlers: PageLifecycleHandlers) {
    this.#handlers = handlers;
  }

  start(): void {
    for (const [target, type] of events) target.addEventListener(type, this);
  }

  stop(): void {
    for (const [target, type] of events) target.removeEventListener(type, this);
  }

  /** @internal */
  handleEvent({ type }: Event): void {
    this.#handlers[type as keyof PageLifecycleHandlers]();
  }
}
