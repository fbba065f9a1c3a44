import type { Topic } from './store.ts';

/** Distributes topics to the subscribers of this instance. */
export class TopicEmitter {
  readonly #subscribers = new Set<(topic: Topic) => void>();

  subscribe(onTopic: (topic: Topic) => void): () => void {
    this.#subscribers.add(onTopic);
    return () => this.#subscribers.delete(onTopic);
  }

  emit(topics: Iterable<Topic>): void {
    for (const topic of topics) for (const onTopic of this.#subscribers) onTopic(topic);
  }
}
