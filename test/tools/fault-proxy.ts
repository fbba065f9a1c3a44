import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Fault } from './fault-plan.ts';

interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * A TCP proxy in front of a service. Applies faults to responses that stream a run; passes everything else. Each
 * connection has one request, so that a cut affects nothing else.
 */
export class FaultProxy {
  /** Faults of the next responses, in order; without one, a response passes unchanged. */
  faults: Fault[] = [];
  /** Instead cuts one stream at a record: before, inside or after the first event of this kind. */
  cutAt: { readonly event: string; readonly place: 'before' | 'inside' | 'after' } | undefined;
  /** Number of bytes that were forwarded; grows while anything happens. */
  traffic = 0;
  /** Whether nothing is forwarded, as without a network. */
  isDown = false;
  /** Method and path of every request, in order. */
  readonly requests: string[] = [];
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The connections with a request. */
  readonly #asked = new Set<Socket>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  /** Number of open requests. Connections that a browser opened in advance do not count. */
  get open(): number {
    return this.#asked.size;
  }

  /** Resets every open connection. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    if (this.isDown) return void socket.resetAndDestroy();
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#asked.delete(socket);
    });
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    const onData = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]);
      const head = readHead(received);
      if (!head) return;
      socket.off('data', onData);
      socket.on('data', () => undefined);
      this.#asked.add(socket);
      this.requests.push(`${head.method} ${head.path}`);
      this.#serve(socket, head);
    };
    socket.on('data', onData);
  }

  #serve(socket: Socket, head: Head): void {
    const isRun = /\/runs\/(stream|[^/]+\/events)(\?|$)/.test(head.path) && head.method !== 'OPTIONS';
    const fault: Fault = (isRun ? this.faults.shift() : undefined) ?? { kind: 'none' };
    const cors = `access-control-allow-origin: ${head.headers['origin'] ?? '*'}\r\naccess-control-expose-headers: Retry-After\r\n`;
    if (fault.kind === 'refuse') return void socket.resetAndDestroy();
    if (fault.kind === 'html' || (fault.kind === 'status' && !fault.reaches)) {
      return void socket.end(synthesized(fault, cors));
    }
    const upstream = httpRequest(
      {
        host: this.#target.hostname,
        port: this.#target.port,
        method: head.method,
        path: head.path,
        headers: { ...head.headers, host: this.#target.host, connection: 'close' },
        agent: false,
      },
      (response) => {
        if (fault.kind === 'status') {
          response.destroy();
          socket.end(synthesized(fault, cors));
        } else if (fault.kind === 'lose-answer') {
          response.destroy();
          socket.resetAndDestroy();
        } else new FaultyAnswer({ socket, response, fault, proxy: this, isRun }).send();
      },
    );
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    upstream.end(head.body);
  }
}

/** A response that is being forwarded, with its fault. */
class FaultyAnswer {
  readonly #socket: Socket;
  readonly #response: IncomingMessage;
  readonly #fault: Fault;
  readonly #proxy: FaultProxy;
  readonly #isRun: boolean;
  #rest = '';
  #count = 0;
  #sent = 0;
  #held: string | undefined;
  #zipped: Buffer[] = [];
  #isOver = false;
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: {
    socket: Socket;
    response: IncomingMessage;
    fault: Fault;
    proxy: FaultProxy;
    isRun: boolean;
  }) {
    this.#socket = parts.socket;
    this.#response = parts.response;
    this.#fault = parts.fault;
    this.#proxy = parts.proxy;
    this.#isRun = parts.isRun;
  }

  send(): void {
    const response = this.#response;
    const headers = Object.entries(response.headers)
      .filter(([name]) => !/^(transfer-encoding|content-length|connection|keep-alive)$/.test(name))
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]))
      .filter(([name]) => this.#fault.kind !== 'content-type' || name !== 'content-type');
    if (this.#fault.kind === 'content-type' && this.#fault.value) {
      headers.push(['content-type', this.#fault.value]);
    }
    if (this.#fault.kind === 'gzip') headers.push(['content-encoding', 'gzip']);
    const hasBody = response.statusCode !== 204 && response.statusCode !== 304;
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const framing = hasBody ? 'transfer-encoding: chunked\r\n' : '';
    this.#socket.write(
      `HTTP/1.1 ${response.statusCode} ${response.statusMessage}\r\n${lines}${framing}connection: close\r\n\r\n`,
    );
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('end', () => this.#finish(hasBody));
    response.on('error', () => this.#socket.destroy());
  }

  #take(text: string): void {
    if (!this.#isRun) return this.#emit(text);
    this.#rest += text;
    const records = this.#rest.split('\n\n');
    this.#rest = records.pop() ?? '';
    for (const record of records) this.#takeRecord(record);
  }

  #takeRecord(record: string): void {
    const { cutAt } = this.#proxy;
    const event = /^event: (.*)$/m.exec(record)?.[1];
    if (cutAt && event === cutAt.event) {
      this.#proxy.cutAt = undefined;
      const kept = { before: 0, inside: Math.ceil(record.length / 2), after: record.length + 2 }[cutAt.place];
      this.#emit(`${record}\n\n`.slice(0, kept));
      return this.#tear('reset');
    }
    this.#count += 1;
    const fault = this.#fault;
    const isTurn = 'every' in fault && this.#count % fault.every === 0;
    if (fault.kind === 'no-end' && /^(run\.completed|done)$/.test(event ?? '')) return;
    if (fault.kind === 'reorder') {
      if (isTurn && this.#held === undefined) {
        this.#held = record;
        return;
      }
      this.#emitRecord(record);
      if (this.#held !== undefined) this.#emitRecord(this.#held);
      this.#held = undefined;
      return;
    }
    this.#emitRecord(record);
    if (fault.kind === 'duplicate' && isTurn) this.#emitRecord(record);
    if (fault.kind === 'unknown' && isTurn)
      this.#emitRecord('event: tide.turned\ndata: {"height":[1,2,{"deep":null}]}');
    if (fault.kind === 'after-done' && event === 'done')
      this.#emit('event: message.delta\ndata: {"delta":"late"}\n\n<html>\u0000\ufffd{{{');
  }

  #emitRecord(record: string): void {
    const text = `${record}\n\n`;
    this.#emit(this.#fault.kind === 'line-ends' ? text.replaceAll('\n', '\r\n') : text);
  }

  #emit(text: string): void {
    const bytes = Buffer.from(text);
    const fault = this.#fault;
    if (this.#isOver) return;
    if (fault.kind === 'gzip') return void this.#zipped.push(bytes);
    if (fault.kind === 'rechunk' || fault.kind === 'line-ends') {
      const sizes = fault.kind === 'rechunk' ? fault.sizes : lineEndSizes(bytes);
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        this.#write(bytes.subarray(at, at + size));
        at += size;
      }
      return;
    }
    if ('at' in fault && this.#sent + bytes.length > fault.at) {
      let end = Math.max(0, fault.at - this.#sent);
      if (fault.insideCharacter) while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) !== 0x80) end += 1;
      if (end < bytes.length || !fault.insideCharacter) {
        this.#write(bytes.subarray(0, end));
        return this.#tear(fault.kind);
      }
    }
    this.#sent += bytes.length;
    this.#write(bytes);
  }

  /** Queues one HTTP chunk. */
  #write(bytes: Buffer): void {
    if (bytes.length === 0 || this.#isOver) return;
    this.#proxy.traffic += bytes.length;
    this.#later(() => {
      this.#socket.write(`${bytes.length.toString(16)}\r\n`);
      this.#socket.write(bytes);
      this.#socket.write('\r\n');
    });
  }

  #tear(how: Fault['kind']): void {
    this.#later(() => {
      if (how === 'reset') this.#socket.resetAndDestroy();
      if (how === 'truncate') this.#socket.destroy();
      if (how === 'half-close') this.#socket.end();
      // a stall: the connection stays open, but nothing arrives
    });
    this.#isOver = true;
    if (how !== 'stall') this.#response.destroy();
  }

  #finish(hasBody: boolean): void {
    if (this.#isOver) return;
    if (this.#held !== undefined) this.#emitRecord(this.#held);
    if (this.#rest) this.#emit(this.#rest);
    if (this.#fault.kind === 'gzip') {
      const zipped = gzipSync(Buffer.concat(this.#zipped));
      this.#write(zipped);
    }
    this.#later(() => this.#socket.end(hasBody ? '0\r\n\r\n' : ''));
  }

  #later(work: () => void): void {
    const { kind } = this.#fault;
    if (kind !== 'delay' && kind !== 'rechunk' && kind !== 'line-ends') return work();
    const wait = this.#fault.kind === 'delay' ? this.#fault.milliseconds : 0;
    this.#queue = this.#queue.then(
      () =>
        new Promise((resolve) => {
          const go = (): void => {
            if (!this.#socket.destroyed) work();
            resolve();
          };
          // in a task of its own, so that it is sent as a packet of its own
          if (wait > 0) setTimeout(go, wait);
          else setImmediate(go);
        }),
    );
  }
}

/** Cuts between the CR and the LF of every line end. */
function lineEndSizes(bytes: Buffer): readonly number[] {
  const sizes: number[] = [];
  let from = 0;
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    sizes.push(at + 1 - from);
    from = at + 1;
  }
  return [...sizes, Math.max(1, bytes.length - from)];
}

function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + 4);
  return body.length < Number(headers['content-length'] ?? 0) ? undefined : { method, path, headers, body };
}

function synthesized(fault: Fault, cors: string): string {
  const answer = (status: number, type: string, body: string, more = ''): string =>
    `HTTP/1.1 ${status} Fault\r\n${cors}${more}content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
  if (fault.kind !== 'status')
    return answer(200, 'text/html', '<!doctype html><title>Sign in</title><h1>Sign in to the network</h1>');
  const detail = JSON.stringify({ detail: [{ loc: ['body'], msg: 'rehearsed', type: 'fault' }] });
  const retry = fault.status === 429 ? 'retry-after: 3\r\n' : '';
  return answer(fault.status, 'application/json', detail, retry);
}
