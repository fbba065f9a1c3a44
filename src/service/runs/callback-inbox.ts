import type { StoredMessage } from '../../protocol/index.ts';
import { callbackMessagesAfter } from '../storage/messages.ts';
import type { Run } from '../storage/runs.ts';
import type { Store } from '../storage/store.ts';
import type { KeyedWaiters } from './keyed-waiters.ts';

/** Longest wait for word of a callback before looking by oneself. */
const pollIntervalMs = 2_000;

interface InboxOptions {
  readonly store: Store;
  readonly run: Run;
  readonly waiters: KeyedWaiters;
  /** Fires when the run ends; its reason is an `Error`. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * What came by callback into a run's thread since the run began, each message once. It is read from the store, which is
 * the same for all instances: whichever of them took the callback.
 */
export class CallbackInbox {
  readonly #options: InboxOptions;
  #place: number | undefined;
  #next: Promise<StoredMessage> | undefined;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Resolves with the next message; all who wait at a time get the same. Rejects with the signal's reason. */
  next(): Promise<StoredMessage> {
    this.#next ??= this.#wait().finally(() => (this.#next = undefined));
    // An agent may end, or be busy, before it comes to wait for it: a run that ends is no fault then.
    this.#next.catch(() => undefined);
    return this.#next;
  }

  async #wait(): Promise<StoredMessage> {
    const { run, waiters, signal, onError } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const word = waiters.wait(`thread:${run.thread_id}`, pollIntervalMs, signal);
      try {
        const message = await this.#look();
        if (message && !signal.aborted) return message;
      } catch (error) {
        onError(error);
      }
      await word;
    }
  }

  async #look(): Promise<StoredMessage | undefined> {
    const { store, run } = this.#options;
    this.#place ??= await placeOf(store, run.message_id);
    if (this.#place === undefined) return undefined;
    const messages = await callbackMessagesAfter(store.database, run.thread_id, this.#place);
    // What an agent posts later is no answer to it; only what came in from outside carries a hash.
    const next = messages.find((message) => message.contentHash !== null);
    this.#place = (next ?? messages.at(-1))?.clock ?? this.#place;
    return next?.stored;
  }
}

async function placeOf(store: Store, messageId: string): Promise<number | undefined> {
  const row = await store.database
    .selectFrom('messages')
    .select('clock')
    .where('id', '=', messageId)
    .executeTakeFirst();
  return row?.clock;
}
