import type { Topic } from './store.ts';

/** Distributes topics to the subscribers of this instance. */
export class TopicEmitter {
  readonly #all = new Set<(topic: Topic) => void>();

  subscribe(hear: (topic: Topic) => void): () => void {
    this.#all.add(hear);
    return () => this.#all.delete(hear);
  }

  emit(topics: Iterable<Topic>): void {
    for (const topic of topics) for (const hear of this.#all) hear(topic);
  }
}
