import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encoders, formatFor, type Encoder } from './encode-run-stream.ts';
import { factsOf } from './request-log.ts';
import type { LiveReader } from '../runs/live-reader.ts';
import { withIds, type StoredEvent } from '../storage/run-events.ts';
import { StreamBody } from './stream-body.ts';

/** Heartbeat interval. @assumed well below the 30 s after which proxies and clients give up */
const heartbeatIntervalMs = 5_000;
/** How long a client may leave a full buffer unread before it is disconnected. */
const stallTimeoutMs = 60_000;

/** Without a reason, each abort would create an error with a stack. */
const readerLeft = new Error('the reader has left');

interface OpenStream {
  readonly agentId: string;
  readonly body: StreamBody;
  /** Aborts when the reader disconnects. */
  readonly closed: AbortSignal;
  readonly encoder: Encoder;
  /** The run's ids, appended to the data of every event; absent for other streams. */
  readonly ids: string | undefined;
  /** Whether nothing was written since the last heartbeat check. */
  quiet: boolean;
}

/** The open streams. One timer sends all heartbeats. */
export class StreamResponses {
  readonly #open = new Set<OpenStream>();
  readonly #agentIds = new Set<string>();
  readonly #streamed = new WeakSet<FastifyReply>();
  readonly #rename: (json: string) => string;
  readonly #timer: NodeJS.Timeout;
  readonly #onError: (error: unknown) => void;

  constructor(options: { rename: (json: string) => string; onError: (error: unknown) => void }) {
    this.#rename = options.rename;
    this.#onError = options.onError;
    this.#timer = setInterval(() => this.#sendHeartbeats(), heartbeatIntervalMs);
    this.#timer.unref();
  }

  /** The number of open streams by the id of their agent, for all agents that had one. */
  countByAgent(): ReadonlyMap<string, number> {
    const counts = new Map([...this.#agentIds].map((agentId) => [agentId, 0]));
    for (const { agentId } of this.#open) counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
    return counts;
  }

  /** Whether a reply is or was a stream, whose duration depends on its content. */
  has(reply: FastifyReply): boolean {
    return this.#streamed.has(reply);
  }

  /**
   * Sends events until they end or the reader disconnects, in the requested format.
   * @param options.ids appended to the data of each event, if they belong to a run
   * @param options.encoder a wire instead of the requested format
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    source: (signal: AbortSignal) => AsyncIterable<readonly StoredEvent[]>,
    { ids, encoder }: { readonly ids?: string | undefined; readonly encoder?: Encoder | undefined } = {},
  ): Promise<void> {
    const stream = this.#begin(request, reply, ids, encoder);
    sendHeartbeat(stream); // Firefox reports a response with its first byte
    try {
      for await (const events of source(stream.closed)) {
        if (!this.#write(stream, events)) await waitForDrain(stream);
        if (stream.closed.aborted) return;
      }
      end(stream);
    } catch (error) {
      stream.body.destroy();
      this.#onError(error);
    } finally {
      this.#open.delete(stream);
    }
  }

  /** Sends a run of this instance. Each event is written synchronously when it is published. */
  async sendLive(
    request: FastifyRequest,
    reply: FastifyReply,
    reader: LiveReader,
    encoder?: Encoder,
  ): Promise<void> {
    const { live } = reader;
    const { socket } = reply.raw;
    socket?.cork(); // the headers and the first events go in one write
    const stream = this.#begin(request, reply, live.ids, encoder);
    const { body, closed } = stream;
    await new Promise<void>((resolve) => {
      let busy = false;
      const fail = (error: unknown): void => {
        body.destroy();
        this.#onError(error);
      };
      const wait = (work: Promise<unknown>): void => {
        busy = true;
        work.then(() => {
          busy = false;
          advance();
        }, fail);
      };
      const advance = (): void => {
        const isLast = live.ended;
        if (isLast) socket?.cork(); // the last events and the end go in one write
        writeAll();
        if (isLast) socket?.uncork();
      };
      const writeAll = (): void => {
        while (!busy && !closed.aborted) {
          const events = reader.read();
          if (events instanceof Promise)
            return wait(events.then((fetched) => this.#writeOrWait(stream, fetched)));
          if (events === undefined) {
            if (live.ended) finish(() => end(stream));
            return;
          }
          if (!this.#write(stream, events)) return wait(waitForDrain(stream));
        }
      };
      const stopListening = live.listen(advance);
      const leave = live.enter(() => finish(() => body.destroy()));
      const finish = (close: () => void): void => {
        stopListening();
        leave();
        this.#open.delete(stream);
        closed.removeEventListener('abort', left);
        close();
        resolve();
      };
      const left = (): void => finish(() => undefined);
      closed.addEventListener('abort', left, { once: true });
      if (closed.aborted) left();
      else advance();
      if (stream.quiet) sendHeartbeat(stream);
      socket?.uncork();
    });
  }

  #begin(
    request: FastifyRequest,
    reply: FastifyReply,
    ids: string | undefined,
    encoder: Encoder = encoders[formatFor(request.headers.accept)],
  ): OpenStream {
    const { raw } = reply;
    const gone = new AbortController();
    raw.once('close', () => gone.abort(readerLeft));
    if (raw.destroyed) gone.abort(readerLeft);
    reply.hijack();
    this.#streamed.add(reply);
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders), // Fastify's type is wider
      'content-type': encoder.contentType,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    raw.flushHeaders();
    const body = new StreamBody(raw);
    const agentId = factsOf(request).agent_id ?? '';
    const stream: OpenStream = { agentId, body, closed: gone.signal, encoder, ids, quiet: true };
    this.#open.add(stream);
    this.#agentIds.add(agentId);
    return stream;
  }

  /** Writes events. Returns false when the reader is behind. */
  #write(stream: OpenStream, events: readonly StoredEvent[]): boolean {
    const { ids, encoder } = stream;
    let text = '';
    for (const event of events) {
      const json = ids === undefined ? event.json : withIds(event.json, ids);
      text += encoder.encode(event, this.#rename(json));
    }
    if (text === '') return true;
    stream.quiet = false;
    return stream.body.write(text);
  }

  async #writeOrWait(stream: OpenStream, events: readonly StoredEvent[]): Promise<void> {
    if (!this.#write(stream, events)) await waitForDrain(stream);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { body } of this.#open) body.end();
  }

  #sendHeartbeats(): void {
    for (const stream of this.#open) {
      if (stream.quiet) sendHeartbeat(stream);
      stream.quiet = true;
    }
  }
}

function sendHeartbeat({ body, encoder, closed }: OpenStream): void {
  if (!closed.aborted && !body.isFull) body.write(encoder.heartbeat);
}

/** Ends a stream after the last event. */
function end({ body, encoder }: OpenStream): void {
  const rest = encoder.end?.() ?? '';
  if (rest !== '') body.write(rest);
  body.end();
}

function waitForDrain({ body, closed }: OpenStream): Promise<void> {
  return new Promise((resolve) => {
    if (closed.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      stopListening();
      closed.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(() => body.destroy(), stallTimeoutMs);
    const stopListening = body.onceDrained(done);
    closed.addEventListener('abort', done, { once: true });
  });
}
