import type { Conversation } from '../conversation/index.ts';
import { readSnapshot, snapshotOf } from './snapshot.ts';
import { storageUnavailable, type ConversationStorage } from './storage.ts';
import type { SessionContext } from './session-context.ts';

/** Minimum time between two saves during a run, in milliseconds. */
const saveIntervalMs = 1_000;

/** Saves the conversation when it changes. Writes nothing before the first message. */
export class SnapshotWriter {
  readonly #context: SessionContext;
  readonly #storage: ConversationStorage;
  #saved: Conversation | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(context: SessionContext, storage: ConversationStorage) {
    this.#context = context;
    this.#storage = storage;
  }

  /** Loads the stored conversation. Invalid data is ignored, with a diagnostic. */
  static load(storage: ConversationStorage, diagnose: SessionContext['diagnose']): Conversation | undefined {
    return attempt(diagnose, () => {
      const stored = storage.load();
      if (stored === undefined) return undefined;
      const conversation = readSnapshot(stored);
      if (conversation) return conversation;
      storage.clear();
      diagnose({
        code: 'stored-conversation-dropped',
        message: 'The stored conversation is invalid or from another version, and was ignored.',
      });
      return undefined;
    });
  }

  /** Schedules a save; the first one at once, because a tab that crashes leaves nothing else of the message. */
  changed(): void {
    if (this.#cancelTimer || this.#saved === this.#context.store.conversation) return;
    this.#cancelTimer = this.#context.clock.after(this.#saved ? saveIntervalMs : 0, () => {
      this.flush();
    });
  }

  /** Saves unsaved changes immediately. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { conversation } = this.#context.store;
    if (conversation === this.#saved || conversation.messages.length === 0) return;
    this.#saved = conversation;
    attempt(this.#context.diagnose, () => this.#storage.save(snapshotOf(conversation)));
  }

  /** Deletes the stored conversation. */
  clear(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#saved = undefined;
    attempt(this.#context.diagnose, () => this.#storage.clear());
  }
}

/** Storage errors are reported; the chat continues without persistence. */
function attempt<Result>(diagnose: SessionContext['diagnose'], work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    diagnose(storageUnavailable);
    return undefined;
  }
}
