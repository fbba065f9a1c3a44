/**
 * Minimum gap between two draws while requests keep coming, in ms. Together with the frame that follows, this is
 * every second frame: 30 a second.
 */
const drawIntervalMs = 20;
/** Delay from the first request after a quiet period until the frame is requested, in ms. */
const firstDrawDelayMs = 20;
/** Time after which a timer replaces a frame that does not come, in ms. */
const timerFallbackMs = 250;

/**
 * Limits drawing to every second frame: each draw of a growing text costs part of a frame, and nobody reads faster. The
 * first request after a quiet period waits for one frame more: the message is sent before it is drawn, and the answer
 * of a fast service is drawn together with it. Hidden tabs get no frames; a timer replaces them.
 */
export class FrameScheduler {
  readonly #work: () => void;
  #cancel: (() => void) | undefined;
  #dirty = false;
  /** True when the work is due in the next frame. */
  #isNext = false;

  constructor(work: () => void) {
    this.#work = work;
  }

  /**
   * Schedules the work.
   * @param options `urgent`: run in the next frame, even if the work ran recently. `immediate`: run now.
   */
  request(options: { readonly urgent?: boolean; readonly immediate?: boolean } = {}): void {
    this.#dirty = true;
    if (options.immediate) return this.#next();
    if (this.#cancel && (!options.urgent || this.#isNext)) return;
    this.#isNext = true;
    this.#wait(this.#cancel ? 0 : firstDrawDelayMs);
  }

  /** Runs pending work now. */
  flush(): void {
    if (!this.#dirty) return;
    this.#dirty = false;
    this.#work();
  }

  #wait(milliseconds: number): void {
    this.#cancel?.(); // the work itself may have asked for more
    const { hidden } = document;
    const timer = setTimeout(this.#next, hidden && milliseconds < drawIntervalMs ? 0 : timerFallbackMs);
    let frame = 0;
    let paced: ReturnType<typeof setTimeout> | undefined;
    const askForFrame = (): void => {
      frame = requestAnimationFrame(this.#next);
    };
    if (milliseconds > 0 && !hidden) paced = setTimeout(askForFrame, milliseconds);
    else if (!hidden) askForFrame();
    this.#cancel = () => {
      clearTimeout(timer);
      clearTimeout(paced);
      cancelAnimationFrame(frame);
    };
  }

  readonly #next = (): void => {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isNext = false;
    if (!this.#dirty) return;
    this.flush();
    this.#wait(drawIntervalMs);
  };
}
