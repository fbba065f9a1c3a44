import { ProtocolError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ServerSettings } from './tool-settings.ts';

/** Largest message of a server, in bytes. A larger one ends the connection or the request. */
const maxMessageBytes = 8 * 1024 * 1024;

/** Creates an unopened transport to a server. */
export function createTransport({ transport }: ServerSettings): Transport {
  if (transport.kind === 'stdio') {
    return new StdioClientTransport({
      command: transport.command,
      args: [...transport.args],
      // Not the service's whole environment, which holds its secrets.
      env: { ...getDefaultEnvironment(), ...transport.env },
      cwd: transport.directory,
      stderr: 'ignore',
      maxBufferSize: maxMessageBytes,
    });
  }
  return new HttpTransport(new URL(transport.url), {
    requestInit: { headers: transport.headers },
    fetch: fetchLimited,
  });
}

/** The `data` of the error of a request whose stream ended before its answer. */
const streamEnded = Symbol('the stream ended before the answer');

/** Whether a request failed because its stream ended before its answer, and could not be resumed. */
export function hasLostItsStream(error: unknown): boolean {
  return ProtocolError.isInstance(error) && error.data === streamEnded;
}

/**
 * Fails a request when its stream ends before its answer; the library would wait until the time limit. The library
 * ignores a failure after the answer.
 */
class HttpTransport extends StreamableHTTPClientTransport {
  override send(...[message, options]: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    if (Array.isArray(message) || !('method' in message && 'id' in message))
      return super.send(message, options);
    const error = { code: -32_000, message: 'the stream ended', data: streamEnded };
    const onRequestStreamEnd = (): void => this.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

/** How often a server may redirect a request. */
const maxRedirects = 3;

/** Follows redirects within the server's own origin: others would take the headers, and the call, elsewhere. */
async function fetchSameOrigin(url: string | URL, init: RequestInit = {}): Promise<Response> {
  let target = new URL(url);
  for (let count = 0; ; count += 1) {
    const response = await fetch(target, { ...init, redirect: 'manual' });
    const location = [307, 308].includes(response.status) ? response.headers.get('location') : null;
    if (location === null || !URL.canParse(location, target) || count === maxRedirects) return response;
    const next = new URL(location, target);
    if (next.origin !== target.origin) return response;
    await response.body?.cancel();
    target = next;
  }
}

/**
 * Fetches, and fails when the response to a POST is too large. The response to a GET has no limit: it is a stream that
 * may last for days.
 */
async function fetchLimited(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchSameOrigin(url, init);
  if (init?.method !== 'POST' || !response.body) return response;
  let bytes = 0;
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        if (bytes > maxMessageBytes) controller.error(new Error('the response is too large'));
        else controller.enqueue(piece);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(limited, { status, statusText, headers });
}
