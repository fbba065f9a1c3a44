import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const syncFile = promisify(fdatasync);

/**
 * Makes commits of an SQLite database in WAL mode durable, outside the event loop. SQLite would wait for the disk
 * within the commit, which blocks all other work. The log is written in order, so one sync covers all commits before.
 */
export class WalSync {
  readonly #descriptor: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param databaseFile an open database; its log exists */
  constructor(databaseFile: string) {
    this.#descriptor = openSync(`${databaseFile}-wal`, 'r+');
  }

  /** Resolves when all commits so far are on disk. Calls during a sync share the next one. */
  sync(): Promise<void> {
    if (!this.#running) return this.#start();
    this.#next ??= this.#running
      .catch(() => undefined) // its callers know
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  async close(): Promise<void> {
    while (this.#running) await this.#running.catch(() => undefined);
    closeSync(this.#descriptor);
  }

  #start(): Promise<void> {
    this.#running = syncFile(this.#descriptor).finally(() => (this.#running = undefined));
    return this.#running;
  }
}
