import { RunStreamDecoder } from '../client/framing/run-stream-decoder.ts';
import { isKnownRunEventKind, type RunEvent, type RunEventKind } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import type { Findings } from './finding.ts';
import { excerpt, maxResponseBytes, type ProbeResponse } from './probe.ts';

/** The content of a stream. */
export interface StreamReading {
  readonly events: readonly { readonly event: RunEvent; readonly atMs: number }[];
  readonly threadId: string | undefined;
  readonly runId: string | undefined;
}

/** Decodes a stream in any framing and checks its form. */
export function readStream(response: ProbeResponse, token: string, findings: Findings): StreamReading {
  const oddities = new Map<string, string>();
  const decoder = new RunStreamDecoder({
    onDiagnostic: ({ code, message, excerpt: shown }) => {
      if (!oddities.has(code)) oddities.set(code, shown ? `${message} (${shown})` : message);
    },
    redact: (text) => excerpt(text, token),
  });
  const events: { event: RunEvent; atMs: number }[] = [];
  let unreadable = '';
  try {
    for (const { bytes, atMs } of response.arrivals) {
      for (const event of decoder.push(bytes)) events.push({ event, atMs });
    }
    for (const event of decoder.end()) events.push({ event, atMs: response.durationMs });
  } catch (error) {
    unreadable = error instanceof Error ? error.message : String(error);
  }
  oddities.delete('unknown-event');
  const [oddity] = oddities.values();
  if (events.length === 0) {
    findings.error(
      'framing',
      unreadable || `no event in ${response.text.length} characters: ${excerpt(response.text, token)}`,
      'Send one JSON object {"id","event","data"} per line, or server-sent events with it after "data:".',
    );
  } else if (oddity !== undefined) {
    findings.error('framing', oddity, 'Every record must be complete, valid JSON in one framing.');
  } else {
    findings.ok('framing', `${framingOf(response.text)}, ${events.length} events`);
  }
  const named = (key: string): string | undefined =>
    events.map(({ event }) => event.data[key]).find((value) => typeof value === 'string');
  return { events, threadId: named('thread_id'), runId: named('run_id') };
}

function framingOf(text: string): string {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('[')) return 'a JSON array';
  if (/^(:|data:|event:|id:|retry:)/.test(start)) return 'server-sent events';
  return /\n\s*\{/.test(start) ? 'newline-delimited JSON' : 'concatenated JSON';
}

/** Checks that the events form a complete turn, in order. */
export function checkTurn(
  reading: StreamReading,
  response: ProbeResponse,
  token: string,
  findings: Findings,
): void {
  const kinds = reading.events.map(({ event }) => event.event);
  if (kinds.length === 0) return;
  if (reading.threadId) findings.ok('thread', 'an event names the thread');
  else {
    findings.error(
      'thread',
      'no event carries data.thread_id',
      'Send thread_id in the first event; without it, the next message starts another conversation.',
    );
  }
  if (kinds[0] === 'run.started') findings.ok('beginning', 'run.started comes first');
  else {
    findings.advice(
      'beginning',
      `the first event is ${kinds[0] ?? ''}`,
      'Send run.started first, with run_id and thread_id; Stop needs them.',
    );
  }
  checkEnd(kinds, response, findings);
  if (checkAnswer(reading, token, findings)) checkText(reading, findings);
  const unknown = [...new Set(kinds.filter((kind) => !isKnownRunEventKind(kind)))];
  if (unknown.length === 0) findings.ok('event kinds', 'all are defined by the interface');
  else {
    findings.advice(
      'event kinds',
      `not in the interface: ${unknown.join(', ')}`,
      'The widget passes them to the page and shows nothing.',
    );
  }
  checkIds(
    reading.events.map(({ event }) => event.id),
    findings,
  );
}

/** Events of a question to the visitor: the stream may end after one. */
const questionKinds: ReadonlySet<string> = new Set(['message.interrupt', 'flow.slot.listen']);

/** Events of a complete answer: only `done` or the end of the stream may follow. */
const endKinds: ReadonlySet<string> = new Set<RunEventKind>([
  'run.completed',
  'run.failed',
  'run.expired',
  'run.cancelled',
  'done',
]);

function checkEnd(kinds: readonly string[], response: ProbeResponse, findings: Findings): void {
  const end = kinds.findIndex((kind) => endKinds.has(kind));
  const done = kinds.indexOf('done');
  if (response.broken === 'timeout') {
    findings.error(
      'end of the stream',
      `it was still open after ${Math.round(response.durationMs / 1000)} s${end === -1 ? ', without an end event' : ''}`,
      'Close the response after done.',
    );
  } else if (response.broken === 'endless') {
    findings.error(
      'end of the stream',
      `it was still open after ${maxResponseBytes / 1024 / 1024} MiB, and was read no further`,
      'Close the response after done.',
    );
  } else if (response.broken === undefined && end === -1 && questionKinds.has(kinds.at(-1) ?? '')) {
    findings.ok('end of the stream', `a question, ${kinds.at(-1) ?? ''}`);
  } else if (response.broken === 'connection' || end === -1) {
    findings.error(
      'end of the stream',
      `it ended after ${kinds.at(-1) ?? ''}, without run.completed, run.failed, run.cancelled, run.expired or done`,
      'Send an end event before closing; without one, the answer counts as interrupted.',
    );
  } else if (done === -1) {
    findings.advice(
      'end of the stream',
      `${kinds[end] ?? ''} without done`,
      'Send done last; it ends the turn at once.',
    );
  } else if (done < kinds.length - 1) {
    findings.error(
      'end of the stream',
      `${kinds.slice(done + 1).join(', ')} came after done`,
      'Send nothing after done: clients ignore it.',
    );
  } else findings.ok('end of the stream', `${kinds[end] ?? ''}, done last`);
}

/** Kinds of events after which the visitor reads that the answer failed. */
const failureKinds: ReadonlySet<string> = new Set(['run.failed', 'run.expired', 'run.cancelled', 'error']);

/** Checks that the agent did not fail. Returns whether it did not. */
function checkAnswer({ events }: StreamReading, token: string, findings: Findings): boolean {
  const failure = events.find(({ event }) => failureKinds.has(event.event))?.event;
  if (!failure) {
    findings.ok('answer', 'the agent did not fail');
    return true;
  }
  const { error } = failure.data;
  const { code, message } = isObject(error) ? error : {};
  const words = [failure.event, code, message].filter((word) => typeof word === 'string');
  findings.error(
    'answer',
    excerpt(words.join(': '), token),
    'The server works, but its agent does not: see the log of the server.',
  );
  return false;
}

/** Compares each complete message with the deltas before it. */
function checkText({ events }: StreamReading, findings: Findings): void {
  let deltas = 0;
  let messages = 0;
  let questions = 0;
  /** The text of the deltas since the last complete message. */
  let streamed = '';
  let differs = false;
  for (const { event } of events) {
    const { event: kind, data } = event;
    if (kind === 'message.delta') {
      deltas += 1;
      streamed += plainTextOf(data['delta']);
    } else if (kind === 'message.created') {
      const final = plainTextOf(data['message']);
      differs ||= streamed !== '' && final !== '' && streamed !== final;
      messages += 1;
      streamed = '';
    } else if (questionKinds.has(kind) && data['message']) {
      questions += 1;
      streamed = '';
    }
  }
  if (differs) {
    findings.error(
      'message',
      'the text of message.created differs from the deltas',
      'It visibly replaces the streamed text; send the same text.',
    );
  } else if (messages > 0 && streamed !== '') {
    findings.error(
      'message',
      'deltas come after message.created',
      'Send message.created after the last delta.',
    );
  } else if (messages > 0) {
    const seen = `${deltas} deltas, then message.created with the same text`;
    findings.ok('message', messages === 1 ? seen : `${messages} messages, each with the text of its deltas`);
  } else if (questions > 0) findings.ok('message', 'a question with its message');
  else {
    findings.advice(
      'message',
      'no message.created',
      'Send it after the deltas, with the whole message: it is the final content.',
    );
  }
}

function plainTextOf(holder: unknown): string {
  if (typeof holder === 'string') return holder;
  if (!isObject(holder)) return '';
  const { content } = holder;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((item: unknown) => (isObject(item) ? item['text'] : ''))
    .filter((text) => typeof text === 'string')
    .join('');
}

function checkIds(ids: readonly string[], findings: Findings): void {
  const missing = ids.filter((id) => id === '').length;
  if (missing > 0) {
    findings.advice(
      'event ids',
      `${missing} of ${ids.length} events have no id`,
      'Give each event a unique id; resuming needs them.',
    );
  } else if (new Set(ids).size < ids.length) {
    findings.advice(
      'event ids',
      'some ids are not unique',
      'Give each event a unique id; resuming needs them.',
    );
  } else findings.ok('event ids', 'every event has a unique id');
}

/** Checks that the stream was not buffered and had no long silences. */
export function checkPace(
  reading: StreamReading,
  response: ProbeResponse,
  findings: Findings,
  silenceLimit: number,
): void {
  const times = response.arrivals.map(({ atMs }) => atMs);
  const spread = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const sentAt = reading.events
    .map(({ event }) => Number(/^(\d{13})-/.exec(event.id)?.[1]))
    .filter((time) => Number.isFinite(time));
  const sendingMs = sentAt.length > 1 ? Math.max(...sentAt) - Math.min(...sentAt) : 0;
  const deltas = reading.events.filter(({ event }) => event.event === 'message.delta').length;
  const heldBack = sendingMs > 400 && spread < sendingMs / 4;
  const atOnce = deltas > 5 && times.length <= 2 && response.durationMs > 400;
  if (heldBack || atOnce) {
    findings.error(
      'buffering',
      `${deltas} deltas arrived within ${Math.round(spread)} ms, at ${Math.round(response.durationMs)} ms`,
      'Something buffers the stream: send X-Accel-Buffering: no, disable compression and buffering in the proxy, and flush after each event.',
    );
  } else if (spread < 200) findings.unknown('buffering', 'the answer was too short');
  else findings.ok('buffering', `the stream arrived in ${times.length} parts over ${Math.round(spread)} ms`);
  const silences = [0, ...times].map((at, index) => (times[index] ?? response.durationMs) - at);
  const longest = Math.max(...silences);
  if (longest > silenceLimit) {
    findings.error(
      'heartbeat',
      `${Math.round(longest / 1000)} s without a byte`,
      'Send a comment or an empty line every 10 s; after 35 s without a byte, the stream counts as lost.',
    );
  } else if (response.durationMs < silenceLimit) {
    findings.unknown('heartbeat', `no silence long enough; the longest was ${Math.round(longest)} ms`);
  } else findings.ok('heartbeat', `never silent for more than ${Math.round(longest)} ms`);
}
