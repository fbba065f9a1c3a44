import type { Recording } from './recording.ts';

/** Speed at which answers arrive: unchanged, or as on a slow connection. */
export type Speed = 'full' | 'slow' | 'very slow';

/** Bytes per step, and the delays in ms. */
const pace: Readonly<Record<Exclude<Speed, 'full'>, { bytes: number; pause: number; before: number }>> = {
  slow: { bytes: 160, pause: 120, before: 600 },
  'very slow': { bytes: 48, pause: 300, before: 2500 },
};

/** A stream between the preview and its service. */
interface Line {
  readonly isAnswer: boolean;
  /** True once the headers have passed, so that the chat knows the run. */
  hasBegun: boolean;
  fail: (reason: Error) => void;
}

/** The connection between the preview and its service: it can be slowed down, cut, or replaced with a recording. */
export class Network {
  speed: Speed = 'full';
  #recording: Recording | undefined;
  readonly #live = new Set<Line>();

  /** The widget's `fetch` property. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const isRun = new URL(address, location.href).pathname.endsWith('/runs/stream');
    if (isRun && this.#recording) return this.#playNext(this.#recording, init?.signal ?? undefined);
    const { pathname } = new URL(address, location.href);
    const isAnswer = isRun || /\/runs\/[^/]+\/events$/.test(pathname);
    const isStream = isAnswer || /\/threads\/[^/]+\/events$/.test(pathname);
    if (!isStream) return fetch(input, init);
    const line: Line = { isAnswer, hasBegun: false, fail: () => undefined };
    const cut = new AbortController();
    line.fail = (reason) => cut.abort(reason);
    this.#live.add(line);
    try {
      const signal = AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]);
      const response = await fetch(input, { ...init, signal });
      if (!response.body || !response.ok) return response;
      if (this.speed !== 'full') await pause(pace[this.speed].before, signal);
      const body = this.#through(response.body, line);
      return new Response(body, { status: response.status, headers: response.headers });
    } finally {
      if (!line.hasBegun) this.#live.delete(line);
    }
  };

  /**
   * Cuts every stream, like a train in a tunnel.
   * @returns what was cut
   */
  cut(): 'nothing' | 'before the answer' | 'answer' {
    const lines = [...this.#live];
    for (const line of lines) line.fail(new TypeError('network error'));
    const answers = lines.filter(({ isAnswer }) => isAnswer);
    if (answers.length === 0) return 'nothing';
    return answers.some(({ hasBegun }) => hasBegun) ? 'answer' : 'before the answer';
  }

  /** Answers the next run from a recording. */
  play(recording: Recording): void {
    this.#recording = recording;
  }

  #playNext(recording: Recording, signal: AbortSignal | undefined): Response {
    this.#recording = undefined;
    return playback(recording, signal);
  }

  #through(body: ReadableStream<Uint8Array>, line: Line): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    line.hasBegun = true;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        line.fail = (reason) => {
          this.#live.delete(line);
          controller.error(reason);
          void reader.cancel(reason).catch(() => undefined);
        };
      },
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (!this.#live.has(line)) return;
        if (done) {
          this.#live.delete(line);
          controller.close();
          return;
        }
        for (const piece of this.#pieces(value)) {
          controller.enqueue(piece);
          if (this.speed !== 'full') await pause(pace[this.speed].pause);
          if (!this.#live.has(line)) return;
        }
      },
      cancel: (reason) => {
        this.#live.delete(line);
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

/**
 * A response with the recorded events at their recorded pace. Removes the recorded thread: it may belong to another
 * visitor, and the chat must not continue in it.
 */
function playback(recording: Recording, signal: AbortSignal | undefined): Response {
  const encoder = new TextEncoder();
  const lines = (async function* () {
    let clock = 0;
    for (const { at, id, event, data } of recording.events) {
      if (at > clock) await pause(Math.min(at - clock, 5000), signal);
      clock = Math.max(clock, at);
      const text = JSON.stringify({ id, event, data }, (key, value: unknown) =>
        key === 'thread_id' ? undefined : value,
      );
      yield encoder.encode(`${text}\n`);
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
