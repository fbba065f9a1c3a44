import type { Message } from '../../protocol/index.ts';
import { maxTimeoutMs } from '../max-timeout.ts';
import { storedAgent } from '../storage/message-author.ts';
import { insertMessage } from '../storage/messages.ts';
import type { Run } from '../storage/runs.ts';
import type { Store } from '../storage/store.ts';

/** Messages that agents post to their threads after a delay, even if the run has ended by then. */
export class LaterMessages {
  readonly #store: Store;
  readonly #onError: (error: unknown, run: Run) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(store: Store, onError: (error: unknown, run: Run) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  post(run: Run, milliseconds: number, message: Message): void {
    if (this.#isClosed) return; // an agent may go on after the end of its run
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#keep(run, message).catch((error: unknown) => this.#onError(error, run));
      },
      Math.min(milliseconds, maxTimeoutMs),
    );
    this.#timers.add(timer);
  }

  /** Drops those that wait, and later ones. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #keep(run: Run, message: Message): Promise<void> {
    return this.#store.transaction(async (database, announce) => {
      const placed = await insertMessage(this.#store, database, {
        threadId: run.thread_id,
        tenantId: run.tenant_id,
        author: storedAgent(run.agent_id),
        role: message.role ?? 'assistant',
        callback: true,
        message,
      });
      if (placed) announce(`thread:${run.thread_id}`);
    });
  }
}
