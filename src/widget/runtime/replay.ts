import { platformClock } from '../../session/clock.ts';
import type { ChatHost } from '../chat-host.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** One line of a recording: an event and when it arrived, in ms from the start. */
interface RecordedLine {
  readonly at?: number;
  readonly event?: string;
  readonly id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface Recording {
  /** The visitor's message; `''` if the recording has none. */
  readonly words: string;
  readonly lines: readonly RecordedLine[];
}

const recordings = new Map<string, Promise<Recording>>();

/**
 * Replaces `fetch` during a replay. A run is answered with the recording's events at their recorded pace; every
 * other request fails. A run fails when the recording cannot be read.
 * @param address URL of the recording: one JSON object `{at, id, event, data}` per line, as the playground writes
 *   it.
 */
export async function playRecording(
  address: string,
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.endsWith('/runs/stream')) return new Response('{"detail":"recorded"}', { status: 404 });
  let lines: readonly RecordedLine[];
  try {
    ({ lines } = await recordingAt(address));
  } catch (cause) {
    // not a response with an error status: no service is at fault
    lines = [
      { event: 'run.failed', data: { error: { code: 'replay', message: notPlayed(address, cause) } } },
    ];
  }
  const signal = init?.signal ?? undefined;
  const body = new ReadableStream<Uint8Array>({ start: (stream) => play(lines, stream, signal) });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}

/**
 * Plays a recording from its start in an empty conversation. Reports a `replay` diagnostic if it cannot be played.
 */
export async function startRecording(host: ChatHost, address: string): Promise<void> {
  try {
    const { words } = await recordingAt(address);
    if (words && !host.conversation?.messages.length) await host.send(words);
  } catch (cause) {
    diagnose(host, 'replay', notPlayed(address, cause));
  }
}

function notPlayed(address: string, cause: unknown): string {
  return `The recording ${address} cannot be played: ${cause instanceof Error ? cause.message : String(cause)}`;
}

function recordingAt(address: string): Promise<Recording> {
  const known = recordings.get(address);
  if (known) return known;
  const reading = readRecording(address);
  recordings.set(address, reading);
  reading.catch(() => recordings.delete(address));
  return reading;
}

async function readRecording(address: string): Promise<Recording> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the recording's URL answered ${response.status}`);
  const all = (await response.text())
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as RecordedLine); // the stream reader handles malformed entries, as in any stream
  if (all.some(Array.isArray)) throw new Error('it must have one JSON object per line, not an array');
  const started = all.find(({ event }) => event === 'recording.started')?.data?.['message'];
  return {
    words: typeof started === 'string' ? started : '',
    lines: all.filter(({ event }) => event !== 'recording.started'),
  };
}

/** Enqueues the events at their recorded pace. A rejection makes the stream fail with the same reason. */
async function play(
  lines: readonly RecordedLine[],
  stream: ReadableStreamDefaultController<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const encoder = new TextEncoder();
  const begun = performance.now();
  const text = withOwnIds(lines);
  let index = -1;
  for (const line of text) {
    index += 1;
    await until(begun + (lines[index]?.at ?? 0), signal);
    if (signal?.aborted) return stream.error(signal.reason);
    stream.enqueue(encoder.encode(`${line}\n`));
  }
  stream.close();
}

/**
 * Each replay gets new run and message ids. The recorded thread id is removed: it may belong to another visitor,
 * and the service would then reject messages sent after the replay.
 */
function withOwnIds(lines: readonly RecordedLine[]): readonly string[] {
  const own = new Map<string, string>();
  for (const { data } of lines) {
    const message = data?.['message'];
    const inner = typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : undefined;
    for (const id of [data?.['run_id'], data?.['message_id'], inner])
      if (typeof id === 'string' && id !== '' && !own.has(id)) own.set(id, platformClock.uuid());
  }
  const stamp = Date.now();
  return lines.map((line, index) =>
    JSON.stringify({ ...line, id: `${stamp}-${index}` }, (key, value: unknown) => {
      if (key === 'thread_id') return undefined;
      return typeof value === 'string' ? (own.get(value) ?? value) : value;
    }),
  );
}

function until(time: number, signal: AbortSignal | undefined): Promise<void> {
  const wait = time - performance.now();
  if (wait <= 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, wait);
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
