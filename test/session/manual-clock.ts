import type { SessionClock } from '../../src/session/index.ts';

/** Ids are unique across clocks, as they are across visits. */
let uuidCount = 0;

/** A clock that moves only when a test says so; chance is always one half. */
export class ManualClock implements SessionClock {
  #now = 1_770_000_000_000;
  #setBack = 0;
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>();

  now(): number {
    return this.#now - this.#setBack;
  }

  /** Sets back what the clock shows, in milliseconds; timers run on. */
  setBack(milliseconds: number): void {
    this.#setBack += milliseconds;
  }

  after(delay: number, callback: () => void): () => void {
    const timer = { due: this.#now + delay, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  random(): number {
    return 0.5;
  }

  uuid(): string {
    uuidCount += 1;
    return `00000000-0000-4000-8000-${String(uuidCount).padStart(12, '0')}`;
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets time pass, timer by timer, and what they set off happen. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await settle();
      const next = [...this.#timers]
        .filter((timer) => timer.due <= end)
        .sort((left, right) => left.due - right.due)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
    await settle();
  }
}

/** Lets everything that can happen without time passing happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** As `settle`, with what `edit`, `regenerate`, `answer` and a message that arrives unseen load on demand. */
export async function settleImports(): Promise<void> {
  await import('../../src/session/answer-message.ts');
  await import('../../src/session/notifier.ts');
  await import('../../src/session/replacement.ts');
  await settle();
}
