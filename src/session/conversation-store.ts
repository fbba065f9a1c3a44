import type { Conversation } from '../conversation/index.ts';

/** Holds the one true conversation and tells who listens when it changes. */
export class ConversationStore {
  #conversation: Conversation;
  readonly #listeners = new Set<() => void>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Applies a pure change; tells the listeners, synchronously, only when it gave another object. */
  change(change: (conversation: Conversation) => Conversation): void {
    const next = change(this.#conversation);
    if (next === this.#conversation) return;
    this.#conversation = next;
    this.announce();
  }

  /** Tells the listeners that something beside the conversation changed. One that throws does not keep the others from hearing. */
  announce(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  subscribe(listener: () => void): () => void {
    const own = (): void => {
      listener();
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  clearListeners(): void {
    this.#listeners.clear();
  }
}
