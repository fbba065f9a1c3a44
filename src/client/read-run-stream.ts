import type { RunEvent } from '../protocol/index.ts';
import type { FollowOptions, WireDiagnostic } from './agent-client.ts';
import { BodyReader } from './body-reader.ts';
import { StreamInterruptedError, TimeoutError } from './errors.ts';
import { AdaptiveDecoder } from './framing/adaptive-decoder.ts';
import type { SeenEvents } from './framing/seen-events.ts';
import type { IdentifierPrefix } from './identifier-prefix.ts';
import type { Call, Requester } from './requester.ts';

/**
 * What we ask for. The event stream comes first not because it is decoded better but because proxies and compressors on
 * the way know not to hold it back; a service that ignores the header, or sends something else under its name, is read
 * just the same.
 */
export const streamAccept =
  'text/event-stream, application/x-ndjson;q=0.9, application/json;q=0.5, */*;q=0.1';

/**
 * Reads at the beginning of a stream that wait longer: the page compiles then what it does for the first time. Later
 * ones wait shorter: a long answer's last words are read and drawn at once, and the work of a read is small beside them.
 */
const firstReads = 40;
const firstFactor = 1.5;
const laterFactor = 0.5;

export interface StreamSettings {
  readonly requester: Requester;
  readonly prefix: (() => Promise<IdentifierPrefix>) | undefined;
  /** Milliseconds without a byte; 0: for ever. */
  readonly idleTimeout: number;
  /** Milliseconds from a read that brought a part of a text to the next: half more at first, half later; 0: none. */
  readonly readInterval: number;
  readonly recordLimit: number | undefined;
  readonly onDiagnostic: ((diagnostic: WireDiagnostic) => void) | undefined;
  readonly redact: (text: string) => string;
  /** Events of all streams of this client. */
  readonly seen: SeenEvents;
}

/**
 * Sends the call when first iterated, and gives the events of its response. Can be iterated once: a second time would
 * post, and bill, a second time.
 * @throws TypeError when iterated twice.
 */
export function runStreamOf(
  settings: StreamSettings,
  call: Call,
  options: FollowOptions,
): AsyncIterable<RunEvent> {
  let iterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (iterated)
        throw new TypeError('A run stream can be iterated once. Call the method again to send again.');
      iterated = true;
      return readRunStream(settings, call, options);
    },
  };
}

async function* readRunStream(
  settings: StreamSettings,
  call: Call,
  options: FollowOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const { signal, onRefused } = options;
  const prefix = settings.prefix && (await settings.prefix());
  const body = prefix ? prefix.request(call.body) : call.body;
  const opened = await settings.requester.open({ ...call, body, signal, onRefused });
  const decoder = new AdaptiveDecoder({
    recordLimit: settings.recordLimit,
    onDiagnostic: settings.onDiagnostic,
    redact: settings.redact,
    seen: settings.seen,
    body: opened.response.body,
    isAccepted: call.method === 'POST' && opened.response.status > 200,
    ...(options.lastEventId !== undefined && { resumed: settings.seen.upTo(options.lastEventId) }),
  });
  const reader = new BodyReader(opened, settings.idleTimeout);
  if (!opened.response.headers.get('Content-Type')?.startsWith('text/event-stream')) decoder.prepare();
  try {
    options.onOpen?.();
    for (let reads = 1; !decoder.ended; reads += 1) {
      const { events, failure } = await nextEvents(reader, decoder, options);
      for (const event of events) {
        signal?.throwIfAborted();
        yield prefix ? prefix.incomingEvent(event) : event;
      }
      if (failure !== undefined) throw failure;
      if (settings.readInterval > 0 && events.some(isPartOfText))
        await reader.pause(settings.readInterval * (reads < firstReads ? firstFactor : laterFactor));
    }
  } finally {
    reader.stop();
    opened.close();
  }
}

interface NextEvents {
  readonly events: readonly RunEvent[];
  /** Why there will be no more; what was whole before it broke still counts. */
  readonly failure?: unknown;
}

async function nextEvents(
  reader: BodyReader,
  decoder: AdaptiveDecoder,
  options: FollowOptions,
): Promise<NextEvents> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await reader.read();
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    const events = await decoder.flush();
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
