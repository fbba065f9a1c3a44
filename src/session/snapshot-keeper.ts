import type { Conversation } from '../conversation/index.ts';
import { readSnapshot, snapshotOf } from './snapshot.ts';
import type { ConversationStorage } from './storage.ts';
import type { TurnHost } from './turn-host.ts';

/** Least time between two saves while a run is on, in milliseconds. */
const saveEvery = 1_000;

/** Keeps the stored conversation in step with the true one. Nothing is written before the first message. */
export class SnapshotKeeper {
  readonly #host: TurnHost;
  readonly #storage: ConversationStorage;
  #saved: Conversation | undefined;
  #takeBack: (() => void) | undefined;

  constructor(host: TurnHost, storage: ConversationStorage) {
    this.#host = host;
    this.#storage = storage;
  }

  /** The conversation as it was stored; garbage is dropped, and said so. */
  static load(storage: ConversationStorage, diagnose: TurnHost['diagnose']): Conversation | undefined {
    try {
      const stored = storage.load();
      if (stored === undefined) return undefined;
      const conversation = readSnapshot(stored);
      if (conversation) return conversation;
      storage.clear();
      diagnose({
        code: 'stored-conversation-dropped',
        message: 'What was stored is no conversation of this version, so it was dropped.',
      });
    } catch {
      diagnose({
        code: 'storage-unavailable',
        message: 'The stored conversation could not be read: the chat begins empty.',
      });
    }
    return undefined;
  }

  /** The conversation changed: it is saved soon. */
  changed(): void {
    if (this.#takeBack || this.#saved === this.#host.store.conversation) return;
    this.#takeBack = this.#host.clock.after(saveEvery, () => {
      this.flush();
    });
  }

  /** Saves now what is not saved yet. */
  flush(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
    const { conversation } = this.#host.store;
    if (conversation === this.#saved || conversation.messages.length === 0) return;
    this.#saved = conversation;
    try {
      this.#storage.save(snapshotOf(conversation));
    } catch {
      this.#host.diagnose({
        code: 'storage-unavailable',
        message: 'The conversation could not be stored: it goes on without.',
      });
    }
  }

  /** Forgets what is stored. */
  clear(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
    this.#saved = undefined;
    try {
      this.#storage.clear();
    } catch {
      this.#host.diagnose({ code: 'storage-unavailable', message: 'What was stored could not be removed.' });
    }
  }
}
