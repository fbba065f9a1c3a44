import type { Conversation } from '../../conversation/conversation.ts';

/** How soon to draw; see `FrameScheduler.request`. */
interface Urgency {
  readonly urgent: boolean;
  readonly immediate: boolean;
}

/**
 * Decides from the state of the conversation how soon to draw a change. The first text of an answer and its end are
 * drawn at once. The first text may be Markdown delimiters only, so the second is drawn in the next frame.
 */
export class DrawUrgency {
  #wasBusy = false;
  #runKey: string | undefined;
  #items: unknown;
  /** Number of pieces of this run's answer so far. */
  #pieces = 0;

  /**
   * The urgency of the change that led to this state.
   * @param isBusy whether a turn is in progress
   */
  next({ messages }: Conversation, isBusy: boolean): Urgency {
    const hasEnded = this.#wasBusy && !isBusy;
    this.#wasBusy = isBusy;
    const answer = messages.at(-1);
    const isNew = answer !== undefined && answer.items.length > 0 && answer.items !== this.#items;
    if (!isBusy || !isNew || answer.role === 'user') return { urgent: !isBusy, immediate: hasEnded };
    this.#pieces = answer.runKey === this.#runKey ? this.#pieces + 1 : 1;
    this.#runKey = answer.runKey;
    this.#items = answer.items;
    return { urgent: this.#pieces === 2, immediate: this.#pieces === 1 };
  }
}
