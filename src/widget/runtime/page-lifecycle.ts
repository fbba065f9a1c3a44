/** Callbacks for the page's life cycle. */
export interface PageLifecycleHandlers {
  /** `pagehide`: the page is unloaded or enters the back/forward cache. */
  onLeave(): void;
  /** `pageshow`: the page is shown again. */
  onReturn(): void;
  /** The tab became hidden. */
  onHidden(): void;
  /** The tab became visible. */
  onVisible(): void;
  /** The browser went online or offline. */
  onConnectivityChange(isOnline: boolean): void;
}

const events: readonly (readonly [EventTarget, string])[] = [
  [window, 'online'],
  [window, 'offline'],
  [window, 'pagehide'],
  [window, 'pageshow'],
  [document, 'visibilitychange'],
];

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
    const handlers = this.#handlers;
    if (type === 'pagehide') handlers.onLeave();
    else if (type === 'pageshow') handlers.onReturn();
    else if (type === 'visibilitychange') {
      if (document.hidden) handlers.onHidden();
      else handlers.onVisible();
    } else handlers.onConnectivityChange(navigator.onLine);
  }
}
