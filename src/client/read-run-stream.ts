import type { RunEvent } from '../protocol/index.ts';
import type { FollowOptions, WireDiagnostic } from './agent-client.ts';
import { BodyReader } from './body-reader.ts';
import { StreamInterruptedError, TimeoutError } from './errors.ts';
import type { SeenEvents } from './framing/seen-events.ts';
import type { StreamFormatError } from './framing/stream-format-error.ts';
import type { IdentifierPrefix } from './identifier-prefix.ts';
import { LazyStreamDecoder } from './lazy-stream-decoder.ts';
import { loadHttpProblem } from './load-http-problem.ts';
import type { Call, Requester } from './requester.ts';

/**
 * The Accept header. Event streams come first because proxies do not buffer them. The decoder does not rely on the
 * response's type.
 */
const streamAccept = 'text/event-stream, application/x-ndjson;q=0.9, application/json;q=0.5, */*;q=0.1';

/**
 * The first reads pause longer, while the page compiles code for the first time. Later ones pause shorter, because
 * drawing a long answer takes longer than reading it.
 */
const firstReads = 40;
const firstFactor = 1.5;
const laterFactor = 0.5;

export interface StreamSettings {
  readonly requester: Requester;
  /** Loads the code that renames prefixed identifiers; undefined when the prefix is the default. */
  readonly prefix: (() => Promise<IdentifierPrefix>) | undefined;
  /** Milliseconds without a byte until a timeout; 0: no limit. */
  readonly idleTimeout: number;
  /** Pause after a read with a text delta, in milliseconds: 1.5 times at first, half later; 0: none. */
  readonly readInterval: number;
  readonly recordLimit: number | undefined;
  readonly onDiagnostic: ((diagnostic: WireDiagnostic) => void) | undefined;
  readonly redact: (text: string) => string;
  /** Events seen by all streams of this client. */
  readonly seen: SeenEvents;
}

type StreamCall = Pick<Call, 'method' | 'path' | 'body'>;

/**
 * Sends the call when iterated, and yields the events of the response. Can be iterated once, because a second iteration
 * would post a second time.
 * @throws TypeError when iterated twice
 */
export function readRunStream(
  settings: StreamSettings,
  call: StreamCall,
  options: FollowOptions = {},
): AsyncIterable<RunEvent> {
  let iterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (iterated) throw new TypeError('A run stream can be iterated only once.');
      iterated = true;
      return readEvents(settings, call, options);
    },
  };
}

async function* readEvents(
  settings: StreamSettings,
  call: StreamCall,
  options: FollowOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const { signal, onRefused, lastEventId } = options;
  const prefix = await settings.prefix?.();
  const body = prefix ? prefix.request(call.body) : call.body;
  const headers: Call['headers'] = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const opened = await settings.requester.open({
    ...call,
    body,
    accept: streamAccept,
    headers,
    signal,
    onRefused,
  });
  const decoder = new LazyStreamDecoder({
    url: opened.url,
    isEventStream: /event-stream/i.test(opened.response.headers.get('Content-Type') ?? ''),
    recordLimit: settings.recordLimit,
    onDiagnostic: settings.onDiagnostic,
    redact: settings.redact,
    seen: settings.seen,
    body: opened.response.body,
    isAccepted: call.method === 'POST' && opened.response.status > 200,
    resumed: lastEventId === undefined ? undefined : settings.seen.upTo(lastEventId),
  });
  const reader = new BodyReader(opened, settings.idleTimeout);
  try {
    options.onOpen?.({ runId: opened.response.headers.get('X-Run-ID') || undefined });
    for (let reads = 1; !decoder.ended; reads += 1) {
      const { events, failure } = await nextEvents(reader, decoder, options);
      for (const event of events) {
        signal?.throwIfAborted();
        yield prefix ? prefix.incomingEvent(event) : event;
      }
      if (failure !== undefined) throw failure;
      if (settings.readInterval > 0 && events.some(isPartOfText))
        await reader.gather(settings.readInterval * (reads < firstReads ? firstFactor : laterFactor));
    }
  } catch (error) {
    if (!isFormatError(error)) throw error;
    const part = await loadHttpProblem(opened.url).catch(() => undefined);
    const { status, headers } = opened.response;
    throw part?.withResponse(error, { status, headers, url: opened.url }) ?? error;
  } finally {
    if (decoder.ended) reader.finish();
    else reader.stop();
  }
}

/** By name: the class is loaded with the decoder that throws it. */
function isFormatError(error: unknown): error is StreamFormatError {
  return error instanceof Error && error.name === 'StreamFormatError';
}

interface NextEvents {
  readonly events: readonly RunEvent[];
  /** Why the stream broke; the events before that are valid. */
  readonly failure?: unknown;
}

async function nextEvents(
  reader: BodyReader,
  decoder: LazyStreamDecoder,
  options: FollowOptions,
): Promise<NextEvents> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await reader.read();
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    const events = decoder.flush();
    if (error instanceof TimeoutError) return { events, failure: error };
    return { events, failure: new StreamInterruptedError(decoder.lastEventId, { cause: error }) };
  }
  if (bytes === undefined) return { events: await decoder.end() };
  options.onActivity?.();
  return { events: await decoder.push(bytes) };
}

function isPartOfText({ event }: RunEvent): boolean {
  return event === 'message.delta';
}
