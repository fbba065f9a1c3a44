/** Milliseconds between two works while requests keep coming: with the frame after it, every third frame. */
const pace = 38;
/** Milliseconds after which a timer stands in for a frame that does not come. */
const withoutFrames = 250;

/**
 * Lets work happen every third frame at most: drawing a text that grows costs a frame's work each time, and nobody
 * reads faster. The first request after a quiet time, and an urgent one, is served in the next frame: a message is on
 * its way before it is drawn, and what comes back until then is drawn with it. In a hidden tab, where no frames come, a
 * timer stands in.
 */
export class FrameScheduler {
  readonly #work: () => void;
  #cancel: (() => void) | undefined;
  #dirty = false;
  /** The work is to be done in the next frame. */
  #isNext = false;

  constructor(work: () => void) {
    this.#work = work;
  }

  /**
   * Asks for the work to be done soon.
   * @param options `urgent`: in the next frame. `immediate`: now, whatever was done lately.
   */
  request(options: { readonly urgent?: boolean; readonly immediate?: boolean } = {}): void {
    if (options.immediate) {
      this.dispose();
      this.#work();
      this.#wait(pace);
      return;
    }
    this.#dirty = true;
    if (this.#cancel && (!options.urgent || this.#isNext)) return;
    this.#cancel?.();
    this.#isNext = true;
    this.#wait(0);
  }

  /** Does what is outstanding at once. */
  flush(): void {
    if (!this.#dirty) return;
    this.#dirty = false;
    this.#work();
  }

  /** Forgets what is outstanding. */
  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isNext = false;
    this.#dirty = false;
  }

  #wait(milliseconds: number): void {
    let frame = 0;
    const askForFrame = (): void => {
      frame = requestAnimationFrame(this.#next);
    };
    const timer = setTimeout(this.#next, document.hidden && milliseconds === 0 ? 0 : withoutFrames);
    const paced = milliseconds > 0 && !document.hidden ? setTimeout(askForFrame, milliseconds) : undefined;
    if (milliseconds === 0 && !document.hidden) askForFrame();
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
    this.#dirty = false;
    this.#work();
    this.#wait(pace);
  };
}
