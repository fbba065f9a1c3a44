import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '../errors/problem.ts';

/** Milliseconds for which a stop waits for answers on their way: who takes nothing of theirs must not hold it up. */
const drainTimeoutMs = 3_000;

/** What was asked and is not yet answered to its end, so that a stop does not cut it off. */
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

  /** From now on an answer is the last on its connection: a question that follows it there would be cut off. */
  endConnections(): void {
    this.#endsConnections = true;
    for (const raw of this.#open) raw.shouldKeepAlive = false;
  }

  /** Turns away what is asked from now on, and waits until the rest is answered, three seconds at most. */
  async drain(): Promise<void> {
    this.#isFinishing = true;
    if (this.#open.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#allAnswered = resolve;
      timer = setTimeout(resolve, drainTimeoutMs);
    });
    clearTimeout(timer);
  }
}
