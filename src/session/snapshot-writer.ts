import type { Conversation } from '../conversation/index.ts';
import { readSnapshot, snapshotOf } from './snapshot.ts';
import type { ConversationStorage } from './storage.ts';
import type { TurnHost } from './session-context.ts';

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
    return attempt(diagnose, () => {
      const stored = storage.load();
      if (stored === undefined) return undefined;
      const conversation = readSnapshot(stored);
      if (conversation) return conversation;
      storage.clear();
      diagnose({
        code: 'stored-conversation-dropped',
        message: 'What was stored is no conversation of this version, so it was dropped.',
      });
      return undefined;
    });
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
    attempt(this.#host.diagnose, () => this.#storage.save(snapshotOf(conversation)));
  }

  /** Forgets what is stored. */
  clear(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
    this.#saved = undefined;
    attempt(this.#host.diagnose, () => this.#storage.clear());
  }
}

/** A storage that throws costs what it would keep, and is told. */
function attempt<Result>(diagnose: TurnHost['diagnose'], work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    diagnose({ code: 'storage-unavailable', message: 'The storage failed: the chat goes on without it.' });
    return undefined;
  }
}
