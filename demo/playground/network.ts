import type { Recording } from './recording.ts';

/** How fast answers arrive: as they come, or as on a bad line. */
export type Speed = 'full' | 'slow' | 'very slow';

/** Bytes let through at once, and the pause after them in milliseconds. */
const pace: Readonly<Record<Exclude<Speed, 'full'>, { bytes: number; pause: number; before: number }>> = {
  slow: { bytes: 160, pause: 120, before: 600 },
  'very slow': { bytes: 48, pause: 300, before: 2500 },
};

/** The line between the preview and its service; the page can slow it down, cut it, or play a recording over it. */
export class Network {
  speed: Speed = 'full';
  #recording: Recording | undefined;
  readonly #live = new Set<(reason: Error) => void>();

  /** For the widget's `fetch` property. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const isRun = new URL(address, location.href).pathname.endsWith('/runs/stream');
    if (isRun && this.#recording) return this.#playNext(this.#recording, init?.signal ?? undefined);
    const response = await fetch(input, init);
    const isStream =
      isRun || /\/(runs|threads)\/[^/]+\/events$/.test(new URL(address, location.href).pathname);
    if (!isStream || !response.body || !response.ok) return response;
    if (this.speed !== 'full') await pause(pace[this.speed].before, init?.signal ?? undefined);
    return new Response(this.#through(response.body), { status: response.status, headers: response.headers });
  };

  /** Breaks every stream that is open, as a train in a tunnel does. Gives how many there were. */
  cut(): number {
    const open = this.#live.size;
    for (const fail of [...this.#live]) fail(new TypeError('network error'));
    return open;
  }

  /** The next run is answered from a recording. */
  play(recording: Recording): void {
    this.#recording = recording;
  }

  #playNext(recording: Recording, signal: AbortSignal | undefined): Response {
    this.#recording = undefined;
    return playback(recording, signal);
  }

  #through(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let fail: (reason: Error) => void = () => undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        fail = (reason) => {
          this.#live.delete(fail);
          controller.error(reason);
          void reader.cancel(reason);
        };
        this.#live.add(fail);
      },
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (!this.#live.has(fail)) return;
        if (done) {
          this.#live.delete(fail);
          controller.close();
          return;
        }
        for (const piece of this.#pieces(value)) {
          controller.enqueue(piece);
          if (this.speed !== 'full') await pause(pace[this.speed].pause);
          if (!this.#live.has(fail)) return;
        }
      },
      cancel: (reason) => {
        this.#live.delete(fail);
        return reader.cancel(reason);
      },
    });
  }

  *#pieces(bytes: Uint8Array): Generator<Uint8Array> {
    for (let start = 0; start < bytes.length;) {
      const size = this.speed === 'full' ? bytes.length : pace[this.speed].bytes;
      yield bytes.subarray(start, start + size);
      start += size;
    }
  }
}

/** A response that sends the recorded events at the pace they first came. */
function playback(recording: Recording, signal: AbortSignal | undefined): Response {
  const encoder = new TextEncoder();
  const lines = (async function* () {
    let clock = 0;
    for (const { at, id, event, data } of recording.events) {
      if (at > clock) await pause(Math.min(at - clock, 5000), signal);
      clock = Math.max(clock, at);
      yield encoder.encode(`${JSON.stringify({ id, event, data })}\n`);
    }
  })();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(cause);
      }
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    if (signal?.aborted) return give();
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => (clearTimeout(timer), give()), { once: true });
  });
}
