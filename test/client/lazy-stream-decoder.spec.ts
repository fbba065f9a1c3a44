import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { EventStreamReader } from '../../src/client/framing/event-stream-reader.ts';
import { RunStreamDecoder, SeenEvents, StreamFormatError } from '../../src/client/framing/index.ts';
import { LazyStreamDecoder } from '../../src/client/lazy-stream-decoder.ts';
import type { RunEvent } from '../../src/protocol/index.ts';
import { isObject } from '../../src/protocol/json.ts';
import { isKnownRunEventKind } from '../../src/protocol/run-event-kinds.ts';
import { recordedStreams } from '../conversation/fold.ts';
import { expectSame } from '../tools/expect-same.ts';
import { tries } from '../tools/quick.ts';
import { bytesOf, chunkingsOf } from './framing/chunkings.ts';
import { anyBytes, cut, eventStreams, fixtures, framings, wireEvent } from './framing/framing-cases.ts';

interface Ending {
  /** Whether the stream broke off. */
  readonly isBroken?: boolean;
  readonly recordLimit?: number | undefined;
  readonly isAccepted?: boolean;
}

/** Events and diagnostics, or the reason of the error. */
type Outcome =
  | { readonly events: readonly RunEvent[]; readonly diagnostics: readonly string[] }
  | StreamFormatError['reason'];

const response = { url: 'https://chat.example.com', isEventStream: true, body: 'present' };

/** What the decoder of a page gives. */
function decode(reads: Iterable<Uint8Array>, ending: Ending = {}): Promise<Outcome> {
  return outcomeOf(LazyStreamDecoder, reads, ending);
}

/** What the decoder of all framings gives by itself. */
function decodeDirectly(reads: Iterable<Uint8Array>, ending: Ending = {}): Promise<Outcome> {
  return outcomeOf(RunStreamDecoder, reads, ending);
}

async function outcomeOf(
  Decoder: typeof LazyStreamDecoder | typeof RunStreamDecoder,
  reads: Iterable<Uint8Array>,
  { isBroken, ...options }: Ending,
): Promise<Outcome> {
  const diagnostics: string[] = [];
  const onDiagnostic = ({ code }: { code: string }): void => void diagnostics.push(code);
  const decoder = new Decoder({ ...response, ...options, onDiagnostic });
  const events: RunEvent[] = [];
  try {
    for (const bytes of reads) events.push(...(await decoder.push(bytes)));
    events.push(...(isBroken ? decoder.flush() : await decoder.end()));
  } catch (error) {
    if (error instanceof StreamFormatError) return error.reason;
    throw error;
  }
  return { events, diagnostics: diagnostics.toSorted() };
}

const toEventStream = framings['event stream'] ?? String;

test('an event stream of whole events, or of inner objects as our service sends it, is read without another decoder, however it is split', () => {
  for (const { name, events } of recordedStreams()) {
    const ours = events.filter(
      ({ id, event, data }) => id !== '' && isKnownRunEventKind(event) && isObject(data),
    );
    const whole = ours.map((event) => `data:${JSON.stringify(event)}\n\n`).join('');
    const text = `:\n\n${toEventStream(ours)}:\n\n${whole}`;
    const chunkings = [...chunkingsOf(bytesOf(text))];
    for (const { reads } of chunkings.filter((_, at) => at < 2 || at % 7 === 0)) {
      const reader = new EventStreamReader();
      const input = new TextDecoder();
      const read: RunEvent[] = [];
      for (const bytes of reads)
        read.push(...reader.read(input.decode(bytes, { stream: true })).map(({ event }) => event));
      read.push(...reader.end().map(({ event }) => event));
      expectSame([read, reader.rest], [[...ours, ...ours], undefined], name);
    }
  }
});

test('streams in any framing give the same events as with the decoder of all framings', async () => {
  for (const { name, text, recordLimit } of [...eventStreams, ...fixtures.flatMap(({ cases }) => cases)]) {
    const direct = await decodeDirectly([bytesOf(text)], { recordLimit });
    expectSame(await decode([bytesOf(text)], { recordLimit }), direct, name);
    const later = bytesOf(toEventStream([{ id: '0', event: 'run.started', data: { run_id: 'ä🚤' } }]) + text);
    const expected = await decodeDirectly([later], { recordLimit });
    // every cut is tried with the decoder of all framings; here, every third one
    for (const chunking of [...chunkingsOf(later)].filter((_, at) => at < 2 || at % 3 === 0))
      expectSame(await decode(chunking.reads, { recordLimit }), expected, `${name}, ${chunking.name}`);
  }
});

test('any bytes after any events of an event stream are decoded as directly, also when an event is cut short', async () => {
  const events = fc.array(wireEvent(), { maxLength: 3 });
  const lengths = fc.array(fc.nat({ max: 90 }), { maxLength: 20 });
  const framing = fc.constantFrom(...Object.values(framings));
  const rest = fc.oneof(
    anyBytes(),
    fc.tuple(framing, events).map(([write, others]) => bytesOf(write(others))),
    fc.tuple(events, fc.nat()).map(([others, at]) => {
      const bytes = bytesOf(toEventStream(others));
      return bytes.subarray(0, bytes.length === 0 ? 0 : at % bytes.length);
    }),
  );
  const ending = fc.record({ isAccepted: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(events, rest, lengths, ending, async (first, after, parts, how) => {
      const bytes = new Uint8Array([...bytesOf(toEventStream(first)), ...after]);
      const expected = await decodeDirectly([bytes], how);
      expectSame(JSON.stringify(await decode(cut(bytes, parts), how)), JSON.stringify(expected));
    }),
    { numRuns: tries(1000) },
  );
});

test('a stream that breaks off gives its complete events', async () => {
  const events: RunEvent[] = [
    { id: '1', event: 'message.delta', data: { delta: 'a' } },
    { id: '2', event: 'message.delta', data: { delta: 'ä🚤' } },
  ];
  const bytes = bytesOf(toEventStream(events));
  for (let length = 0; length <= bytes.length; length += 1) {
    const part = bytes.subarray(0, length);
    const how = { isBroken: true };
    const { events: expected } = (await decodeDirectly([part], how)) as { events: readonly RunEvent[] };
    for (const { reads } of chunkingsOf(part))
      expectSame(await decode(reads, how), { events: expected, diagnostics: [] });
  }
});

test('a resumed stream repeats no event, before and after its framing changes', async () => {
  const event = (id: string, delta: string): RunEvent => ({ id, event: 'message.delta', data: { delta } });
  const seen = new SeenEvents();
  const first = new LazyStreamDecoder({ ...response, seen });
  const read = await first.push(bytesOf(toEventStream([event('1', 'a'), event('2', 'b')])));
  read.push(...(await first.push(bytesOf(JSON.stringify(event('3', 'c'))))));
  expect([read.length, first.lastEventId]).toEqual([3, '3']);

  const resumed = new LazyStreamDecoder({ ...response, seen, resumed: seen.upTo('3') });
  const again = await resumed.push(bytesOf(toEventStream([event('2', 'b'), event('4', 'd')])));
  again.push(...(await resumed.push(bytesOf(`data: ${JSON.stringify(event('3', 'c'))}\n\n`))));
  again.push(...(await resumed.push(bytesOf(toEventStream([event('5', 'e')])))), ...(await resumed.end()));
  expect(again).toEqual([event('4', 'd'), event('5', 'e')]);
  expect([resumed.ended, resumed.lastEventId]).toEqual([true, '5']);
});

test('a large event is read, one over the limit is not', async () => {
  const large = toEventStream([
    { id: '1', event: 'message.created', data: { message: { text: 'ä'.repeat(2e6) } } },
  ]);
  expect(await decode([bytesOf(large)])).toEqual(await decodeDirectly([bytesOf(large)]));
  const limited = await decode([bytesOf(large)], { recordLimit: 3e6 });
  expect(limited).toEqual(await decodeDirectly([bytesOf(large)], { recordLimit: 3e6 }));
  expect(limited).toBe('undecodable');
});

test('an event that arrives in small reads takes linear time', () => {
  const data = JSON.stringify({ text: 'x'.repeat(900_000) });
  const reader = new EventStreamReader();
  for (let at = 0; at < data.length; at += 8)
    reader.read((at === 0 ? 'id: 1\nevent: message.delta\ndata: ' : '') + data.slice(at, at + 8));
  expect(reader.read('\n\n')).toHaveLength(1);
});
