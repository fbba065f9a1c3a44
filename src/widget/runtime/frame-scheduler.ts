/** Milliseconds between two works while requests keep coming: with the frame after it, every third frame. */
const pace = 38;
/** Milliseconds from the first request after a quiet time until the frame is asked for. */
const lead = 20;
/** Milliseconds after which a timer stands in for a frame that does not come. */
const withoutFrames = 250;

/**
 * Lets work happen every third frame at most: drawing a text that grows costs a frame's work each time, and nobody
 * reads faster. After a quiet time one frame is let pass: a message is on its way before it is drawn, and a service that
 * answers at once is drawn with it, in one go. In a hidden tab, where no frames come, a timer stands in.
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
   * @param options `urgent`: in the next frame, although work was done lately. `immediate`: now.
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
    const isQuiet = !this.#cancel;
    this.#cancel?.();
    this.#isNext = true;
    this.#wait(isQuiet ? lead : 0);
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
    const timer = setTimeout(this.#next, document.hidden && milliseconds < pace ? 0 : withoutFrames);
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
