import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '../errors/problem.ts';
import { inTime } from '../in-time.ts';

/** How long a stop waits for pending responses, so slow readers cannot block it. */
const drainTimeoutMs = 3_000;

/** Tracks requests that are not fully answered yet, so a stop does not interrupt them. */
export class InFlightRequests {
  readonly #open = new Set<ServerResponse>();
  #endsConnections = false;
  #isFinishing = false;
  #allAnswered: () => void = () => undefined;

  constructor(app: FastifyInstance) {
    app.addHook('onRequest', (_request, { raw }, done) => {
      if (this.#endsConnections) raw.shouldKeepAlive = false;
      if (this.#isFinishing) return done(unavailable('the service is stopping'));
      this.#open.add(raw);
      raw.once('close', () => {
        this.#open.delete(raw);
        if (this.#open.size === 0) this.#allAnswered();
      });
      done();
    });
  }

  /** Makes each response the last on its connection, because a stop would interrupt later requests on it. */
  endConnections(): void {
    this.#endsConnections = true;
    for (const raw of this.#open) raw.shouldKeepAlive = false;
  }

  /** Rejects new requests and waits for pending ones, at most three seconds. */
  async drain(): Promise<void> {
    this.#isFinishing = true;
    if (this.#open.size === 0) return;
    const answered = new Promise<void>((resolve) => (this.#allAnswered = resolve));
    await inTime(answered, drainTimeoutMs, () => undefined);
  }
}
