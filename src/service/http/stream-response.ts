import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encoders, formatFor } from './encode-run-stream.ts';
import type { LiveReader } from '../runs/event-readers.ts';
import { withIds, type KeptEvent } from '../storage/run-events.ts';
import { StreamBody } from './stream-body.ts';

/** Milliseconds of silence after which a sign of life is due. @assumed well under the half minute after which proxies and clients give up */
const heartbeatDelay = 5_000;
/** Milliseconds a client may leave a full buffer unread before it is cut off. */
const stallLimit = 60_000;

interface OpenStream {
  readonly body: StreamBody;
  /** Fires when the reader has left. */
  readonly gone: AbortSignal;
  readonly heartbeat: string;
  readonly encode: (event: KeptEvent, json: string) => string;
  /** What is put onto the end of every event's data: the ids of the run, if it is a run that is sent. */
  readonly ids: string | undefined;
  /** Whether nothing was written since the last look. */
  quiet: boolean;
}

/** The streams being sent; one timer keeps them all alive. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();
  readonly #streamed = new WeakSet<FastifyReply>();
  readonly #rename: (json: string) => string;
  readonly #timer: NodeJS.Timeout;
  readonly #onFault: (fault: unknown) => void;

  constructor(options: { rename: (json: string) => string; onFault: (fault: unknown) => void }) {
    this.#rename = options.rename;
    this.#onFault = options.onFault;
    this.#timer = setInterval(() => this.#beat(), heartbeatDelay);
    this.#timer.unref();
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether a reply is or was a stream: it lasts as long as there is something to say. */
  has(reply: FastifyReply): boolean {
    return this.#streamed.has(reply);
  }

  /**
   * Sends events until they end or the reader leaves, in the format the request asks for. `ids` are put into the data of
   * each: those of the run when the events are a run's.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    source: (signal: AbortSignal) => AsyncIterable<readonly KeptEvent[]>,
    ids?: string,
  ): Promise<void> {
    const stream = this.#begin(request, reply, ids);
    try {
      for await (const events of source(stream.gone)) {
        if (!this.#write(stream, events)) await drained(stream);
        if (stream.gone.aborted) return;
      }
      stream.body.end();
    } catch (fault) {
      stream.body.destroy();
      this.#onFault(fault);
    } finally {
      this.#open.delete(stream);
    }
  }

  /** Sends a run that is executed here. Each event is written as it is published, without a turn of the event loop. */
  async sendLive(request: FastifyRequest, reply: FastifyReply, reader: LiveReader): Promise<void> {
    const { live } = reader;
    const stream = this.#begin(request, reply, live.ids);
    const { body, gone } = stream;
    await new Promise<void>((resolve) => {
      let busy = false;
      const fail = (fault: unknown): void => {
        body.destroy();
        this.#onFault(fault);
      };
      const wait = (work: Promise<unknown>): void => {
        busy = true;
        work.then(() => {
          busy = false;
          advance();
        }, fail);
      };
      const advance = (): void => {
        while (!busy && !gone.aborted) {
          const events = reader.read();
          if (events instanceof Promise)
            return wait(events.then((fetched) => this.#writeOrWait(stream, fetched)));
          if (events === undefined) {
            if (live.ended) finish(() => body.end());
            return;
          }
          if (!this.#write(stream, events)) return wait(drained(stream));
        }
      };
      const stopListening = live.listen(advance);
      const leave = live.enter(() => finish(() => body.destroy()));
      const finish = (end: () => void): void => {
        stopListening();
        leave();
        this.#open.delete(stream);
        gone.removeEventListener('abort', left);
        end();
        resolve();
      };
      const left = (): void => finish(() => undefined);
      gone.addEventListener('abort', left, { once: true });
      if (gone.aborted) left();
      else advance();
    });
  }

  #begin(request: FastifyRequest, reply: FastifyReply, ids: string | undefined): OpenStream {
    const { encode, contentType, heartbeat } = encoders[formatFor(request.headers.accept)];
    const { raw } = reply;
    const gone = new AbortController();
    raw.once('close', () => gone.abort());
    if (raw.destroyed) gone.abort();
    reply.hijack();
    this.#streamed.add(reply);
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders), // the same headers under Fastify's wider type
      'content-type': contentType,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    raw.flushHeaders();
    const body = new StreamBody(raw);
    const stream: OpenStream = { body, gone: gone.signal, heartbeat, encode, ids, quiet: false };
    this.#open.add(stream);
    return stream;
  }

  /** Writes events; false when the reader is behind. */
  #write(stream: OpenStream, events: readonly KeptEvent[]): boolean {
    const { ids, encode } = stream;
    let text = '';
    for (const event of events) {
      const json = ids === undefined ? event.json : withIds(event.json, ids);
      text += encode(event, this.#rename(json));
    }
    if (text === '') return true;
    stream.quiet = false;
    return stream.body.write(text);
  }

  async #writeOrWait(stream: OpenStream, events: readonly KeptEvent[]): Promise<void> {
    if (!this.#write(stream, events)) await drained(stream);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { body } of this.#open) body.end();
  }

  #beat(): void {
    for (const stream of this.#open) {
      if (stream.quiet && !stream.body.isFull) stream.body.write(stream.heartbeat);
      stream.quiet = true;
    }
  }
}

function drained({ body, gone }: OpenStream): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      stopListening();
      gone.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(() => body.destroy(), stallLimit);
    const stopListening = body.onceDrained(done);
    gone.addEventListener('abort', done, { once: true });
  });
}
