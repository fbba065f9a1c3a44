import type { Conversation } from '../conversation/index.ts';

/** Holds the conversation and notifies listeners of changes. */
export class ConversationStore {
  #conversation: Conversation;
  readonly #listeners = new Set<() => void>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Applies a pure change. Notifies listeners synchronously if it returns another object. */
  change(change: (conversation: Conversation) => Conversation): void {
    const next = change(this.#conversation);
    if (next === this.#conversation) return;
    this.#conversation = next;
    this.announce();
  }

  /** Notifies listeners of a change outside the conversation. A listener that throws does not affect the others. */
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
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  clearListeners(): void {
    this.#listeners.clear();
  }
}
