import type { StoredMessage } from '../../protocol/index.ts';
import { callbackMessagesAfter } from '../storage/messages.ts';
import type { Run } from '../storage/runs.ts';
import type { Store } from '../storage/store.ts';
import type { KeyedWaiters } from './keyed-waiters.ts';

/** Fallback poll interval, in case a notification is lost. */
const pollIntervalMs = 2_000;

interface InboxOptions {
  readonly store: Store;
  readonly run: Run;
  readonly waiters: KeyedWaiters;
  /** Aborts when the run ends, with an `Error` as its reason. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * The callback messages of a run's thread since the run began, each delivered once. They are read from the
 * store, so every instance can receive the callback.
 */
export class CallbackInbox {
  readonly #options: InboxOptions;
  /** Clock of the last message that was read; at first, of the message that began the run. */
  #readUntil: number | undefined;
  #next: Promise<StoredMessage> | undefined;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Resolves with the next message; concurrent calls share it. Rejects with the signal's reason. */
  next(): Promise<StoredMessage> {
    this.#next ??= this.#wait().finally(() => (this.#next = undefined));
    // The agent may end without awaiting it: avoid an unhandled rejection.
    this.#next.catch(() => undefined);
    return this.#next;
  }

  async #wait(): Promise<StoredMessage> {
    const { run, waiters, signal, onError } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const notified = waiters.wait(`thread:${run.thread_id}`, pollIntervalMs, signal);
      try {
        const message = await this.#readNext();
        if (message && !signal.aborted) return message;
      } catch (error) {
        onError(error);
      }
      await notified;
    }
  }

  async #readNext(): Promise<StoredMessage | undefined> {
    const { store, run } = this.#options;
    this.#readUntil ??= await clockOf(store, run.message_id);
    if (this.#readUntil === undefined) return undefined;
    const messages = await callbackMessagesAfter(store.database, run.thread_id, this.#readUntil);
    // Skip messages that agents posted with `postLater`: only messages from outside have a hash.
    const next = messages.find((message) => message.contentHash !== null);
    this.#readUntil = (next ?? messages.at(-1))?.clock ?? this.#readUntil;
    return next?.stored;
  }
}

async function clockOf(store: Store, messageId: string): Promise<number | undefined> {
  const row = await store.database
    .selectFrom('messages')
    .select('clock')
    .where('id', '=', messageId)
    .executeTakeFirst();
  return row?.clock;
}
