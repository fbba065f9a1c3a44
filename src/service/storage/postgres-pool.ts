import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { inTime } from '../in-time.ts';

/** How long a statement may take. After a fail-over, old connections stay open and silent. */
const statementLimitMs = 4_000;

/** The database did not answer a statement, or there was no connection to it, in time. */
class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs = statementLimitMs) {
    super(`the database did not answer within ${limitMs} ms`);
  }
}

/**
 * A pool whose statements have a time limit. A connection that exceeds it is destroyed, and so is every one
 * that was idle then: what silenced one has usually silenced all.
 */
export class GuardedPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #onSilence: (error: unknown) => void;
  readonly #connectLimitMs: number;
  readonly #openedAt = new WeakMap<pg.PoolClient, number>();
  #silentAt = -1;

  /** @param options.connectLimitMs how long waiting for a free connection, and opening one, may take together */
  constructor(
    pool: pg.Pool,
    options: { readonly connectLimitMs: number; readonly onSilence: (error: unknown) => void },
  ) {
    this.#pool = pool;
    this.#onSilence = options.onSilence;
    this.#connectLimitMs = options.connectLimitMs;
    pool.on('connect', (client) => this.#openedAt.set(client as pg.PoolClient, performance.now()));
  }

  /** @throws StatementTimeoutError; the pool's own limit applies to each of the two steps */
  async connect(): Promise<PostgresPoolClient> {
    return this.#guarded(await this.#connectInTime(), statementLimitMs);
  }

  /** The same pool for statements that may take any time. */
  get unlimited(): PostgresPool {
    return {
      connect: async () => this.#guarded(await this.#connectInTime(), Infinity),
      end: () => Promise.resolve(), // this pool ends
    };
  }

  #connectInTime(): Promise<pg.PoolClient> {
    const connecting = this.#connect();
    return inTime(connecting, this.#connectLimitMs, () => {
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw new StatementTimeoutError(this.#connectLimitMs);
    });
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      if ((this.#openedAt.get(client) ?? 0) >= this.#silentAt) return client;
      destroy(client);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #guarded(client: pg.PoolClient, limitMs: number): PostgresPoolClient {
    let isBroken = false;
    const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
      if (isBroken) throw new StatementTimeoutError();
      const result = client.query(sql, [...parameters]);
      if (limitMs === Infinity) return result;
      return inTime(result, limitMs, () => {
        isBroken = true;
        this.#silentAt = performance.now();
        result.catch(() => undefined);
        const error = new StatementTimeoutError();
        this.#onSilence(error);
        throw error;
      });
    };
    return {
      query: query as PostgresPoolClient['query'], // Kysely's cursors are not used
      release: () => (isBroken ? destroy(client) : client.release()),
    };
  }
}

/** Closes a connection at once: its server may never answer a farewell. */
function destroy(client: pg.PoolClient): void {
  client.release(true);
  const connection: unknown = Reflect.get(client, 'connection');
  const stream: unknown =
    typeof connection === 'object' && connection ? Reflect.get(connection, 'stream') : null;
  if (typeof stream === 'object' && stream && 'destroy' in stream) (stream as { destroy(): void }).destroy(); // a socket
}
