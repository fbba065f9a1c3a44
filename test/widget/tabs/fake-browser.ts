/** The locks and channels that tabs share, without a browser. */
export class FakeBrowser {
  readonly #before = ['navigator', 'BroadcastChannel'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  /** Tabs that receive nothing for now, by the number of their channel. */
  readonly asleep = new Set<number>();
  readonly #channels: FakeChannel[] = [];

  /** @param options.locks false: as on a page without https */
  constructor({ locks = true }: { readonly locks?: boolean } = {}) {
    const { asleep } = this;
    const channels = this.#channels;
    class Channel extends FakeChannel {
      constructor(name: string) {
        super(name, { channels, asleep, place: channels.length });
        channels.push(this);
      }
    }
    const fakes = { navigator: locks ? { locks: new FakeLocks() } : {}, BroadcastChannel: Channel };
    for (const [name, value] of Object.entries(fakes))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  }

  /** Delivers what a tab has not received yet. */
  wake(place: number): void {
    this.asleep.delete(place);
    this.#channels[place]?.catchUp();
  }

  /** Restores the real APIs. */
  restore(): void {
    for (const [name, descriptor] of this.#before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  }
}

interface Held {
  readonly name: string;
  readonly isShared: boolean;
}

interface Request extends Held {
  readonly grant: () => void;
}

/** Locks by name: granted in the order of the requests, asynchronously. */
class FakeLocks {
  readonly #held: Held[] = [];
  readonly #waiting: Request[] = [];

  async request(
    name: string,
    options: LockOptions,
    work: (lock: object | null) => Promise<unknown>,
  ): Promise<unknown> {
    const lock = { name, isShared: options.mode === 'shared' };
    await later();
    if (options.ifAvailable === true && !this.#isFree(lock)) return work(null);
    await new Promise<void>((resolve, reject) => {
      const request = { ...lock, grant: resolve };
      this.#waiting.push(request);
      options.signal?.addEventListener('abort', () => {
        const place = this.#waiting.indexOf(request);
        if (place < 0) return;
        this.#waiting.splice(place, 1);
        reject(new DOMException('aborted', 'AbortError'));
      });
      this.#grant();
    });
    const held = this.#held.find((one) => one.name === name && !one.isShared) ?? lock;
    try {
      return await work(held);
    } finally {
      this.#held.splice(this.#held.indexOf(held), 1);
      this.#grant();
    }
  }

  async query(): Promise<{ held: readonly Held[] }> {
    await later();
    return { held: [...this.#held] };
  }

  #isFree({ name, isShared }: Held): boolean {
    return !this.#held.some((held) => held.name === name && !(held.isShared && isShared));
  }

  #grant(): void {
    for (const request of [...this.#waiting]) {
      if (!this.#isFree(request)) continue;
      this.#waiting.splice(this.#waiting.indexOf(request), 1);
      this.#held.push({ name: request.name, isShared: request.isShared });
      request.grant();
    }
  }
}

interface Shared {
  readonly channels: readonly FakeChannel[];
  readonly asleep: ReadonlySet<number>;
  readonly place: number;
}

/** A channel that delivers copies, asynchronously. */
class FakeChannel extends EventTarget {
  readonly name: string;
  readonly #shared: Shared;
  readonly #missed: unknown[] = [];
  #isClosed = false;

  constructor(name: string, shared: Shared) {
    super();
    this.name = name;
    this.#shared = shared;
  }

  postMessage(data: unknown): void {
    for (const channel of this.#shared.channels) {
      if (channel === this || channel.name !== this.name) continue;
      const copy: unknown = structuredClone(data);
      void later().then(() => channel.#receive(copy));
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  catchUp(): void {
    for (const data of this.#missed.splice(0)) this.#receive(data);
  }

  #receive(data: unknown): void {
    if (this.#isClosed) return;
    if (this.#shared.asleep.has(this.#shared.place)) this.#missed.push(data);
    else this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}
