import type { Topic } from './store.ts';

/** Those who want to hear of topics on this instance. */
export class Listeners {
  readonly #all = new Set<(topic: Topic) => void>();

  add(hear: (topic: Topic) => void): () => void {
    this.#all.add(hear);
    return () => this.#all.delete(hear);
  }

  tell(topics: Iterable<Topic>): void {
    for (const topic of topics) for (const hear of this.#all) hear(topic);
  }
}
