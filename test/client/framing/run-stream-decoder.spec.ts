import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { StreamFormatError } from '../../../src/client/framing/stream-format-error.ts';
import { decodeRunStream, RunStreamDecoder, SeenEvents } from '../../../src/client/framing/index.ts';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { bytesOf, chunkingsOf } from './chunkings.ts';
import { anyBytes, cut, eventStreams, fixtures, framings, wireEvent } from './framing-cases.ts';
import { tries } from '../../tools/quick.ts';
import { expectSame } from '../../tools/expect-same.ts';

interface Outcome {
  readonly events: readonly RunEvent[];
  readonly diagnostics: readonly string[];
}

function decode(reads: Iterable<Uint8Array>, recordLimit?: number): Outcome {
  const diagnostics: string[] = [];
  const decoder = new RunStreamDecoder({ recordLimit, onDiagnostic: ({ code }) => diagnostics.push(code) });
  const events: RunEvent[] = [];
  for (const bytes of reads) events.push(...decoder.push(bytes));
  events.push(...decoder.end());
  return { events, diagnostics };
}

for (const { title, cases } of fixtures) {
  test(`framing ${title}: ${cases.length} cases give their events whole, byte by byte and at every cut`, () => {
    for (const { name, text, events, diagnostics, recordLimit } of cases) {
      for (const chunking of chunkingsOf(bytesOf(text))) {
        const outcome = decode(chunking.reads, recordLimit);
        const expected = { events, diagnostics };
        if (!isDeepStrictEqual(outcome, expected))
          expect(outcome, `${name}, ${chunking.name}`).toEqual(expected);
      }
    }
    expect(cases.length).toBeGreaterThan(5);
  });
}

test('event streams give the same events at every split, also when their framing changes', () => {
  for (const { name, text, events, diagnostics } of eventStreams) {
    for (const chunking of chunkingsOf(bytesOf(text))) {
      expectSame(decode(chunking.reads), { events, diagnostics }, `${name}, ${chunking.name}`);
    }
  }
});

test('the framing fixtures cover the ten points with 99 cases', () => {
  expect(fixtures.length).toBe(10);
  expect(fixtures.flatMap(({ cases }) => cases).length).toBe(99);
});

test('any events in any framing are decoded unchanged however the bytes are split', () => {
  fc.assert(
    fc.property(
      fc.array(wireEvent(), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...Object.keys(framings)),
      fc.array(fc.nat({ max: 400 }), { maxLength: 30 }),
      (events, framing, lengths) => {
        const bytes = bytesOf(framings[framing]?.(events) ?? '');
        const expected: unknown = JSON.parse(JSON.stringify(events));
        const decoded: unknown = JSON.parse(JSON.stringify(decode(cut(bytes, lengths))));
        expectSame(decoded, { events: expected, diagnostics: [] });
      },
    ),
    { numRuns: tries(600) },
  );
});

test('any bytes give the same outcome however they are split, and only StreamFormatErrors', () => {
  const noise = anyBytes();
  const outcome = (reads: readonly Uint8Array[]): unknown => {
    try {
      const { events, diagnostics } = decode(reads);
      // Faults are told while records are read, odd events afterwards, so only their order within a read may differ.
      return { events, diagnostics: diagnostics.toSorted() };
    } catch (error) {
      if (error instanceof StreamFormatError) return error.reason;
      throw error;
    }
  };
  fc.assert(
    fc.property(noise, fc.array(fc.nat({ max: 9 }), { maxLength: 60 }), (bytes, lengths) => {
      expectSame(outcome(cut(bytes, lengths)), outcome([bytes]));
    }),
    { numRuns: tries(3000) },
  );
});

test('valid records after invalid lines are decoded', () => {
  const good = { id: '9', event: 'done', data: { a: 1 } };
  const garbage = fc.stringMatching(/^[a-z}{:,"0-9 ]{0,30}$/);
  fc.assert(
    fc.property(garbage, (text) => {
      const { events } = decode([bytesOf(`${text}\n${JSON.stringify(good)}\n${JSON.stringify(good)}\n`)]);
      expectSame(events.filter((event) => isDeepStrictEqual(event, good)).length, 2);
    }),
    { numRuns: tries(500) },
  );
});

test('each event is returned by the read that completes it', () => {
  const event = { id: '1', event: 'message.delta', data: { delta: 'a' } };
  const json = JSON.stringify(event);
  const complete = [
    `${json}`,
    `${json}\n`,
    `data: ${json}\n\n`,
    `data: ${json}\n`,
    `id: 1\nevent: message.delta\ndata: {"delta":"a"}\n`,
    `[${json}`,
    `{\n"id": "1", "event": "message.delta",\n"data": {"delta": "a"}\n}`,
  ];
  for (const text of complete) expect(new RunStreamDecoder().push(bytesOf(text)), text).toEqual([event]);
});

test('an HTML page instead of a stream is reported with the remedy', () => {
  const page = bytesOf('\n<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>');
  for (const { reads } of chunkingsOf(page)) {
    expect(() => decode(reads)).toThrow(/is an HTML page.*Check the base URL.*<!DOCTYPE html>/s);
  }
  expect(() => decode([bytesOf('<html><head><title>Sign in</title>')])).toThrow(StreamFormatError);
});

test('a body without any event is an error, an empty one is not', () => {
  expect(() => decode([bytesOf('upstream connect error')])).toThrow(
    /contains no run event.*upstream connect error/s,
  );
  expect(() => decode([bytesOf('{"hello":"world"}')])).toThrow(StreamFormatError);
  expect(decode([]).events).toEqual([]);
  expect(decode([bytesOf(': heartbeat\n\n: heartbeat\n\n')]).events).toEqual([]);
  expect(decode([bytesOf('{"id":"1","ev')])).toEqual({ events: [], diagnostics: ['truncated-record'] });
});

test('a last record that is not the beginning of JSON is malformed, not truncated', () => {
  const first = '{"id":"1","event":"done"}\n';
  const lastOf = (text: string): readonly string[] => decode([bytesOf(first + text)]).diagnostics;
  for (const text of [
    '{oops',
    '{not json',
    '{not json\n',
    "{'event': 'done'",
    '{"event": undefined',
    '[{"id": nothing',
  ])
    expect([text, lastOf(text)]).toEqual([text, ['malformed-record']]);
  for (const text of [
    '{"id":"2',
    '{"id":"2","data":{"a":[1.5e-3, tr',
    '{\n  "done": false,\n  "text": "not json {\\"',
    '{"text": "\\',
  ])
    expect([text, lastOf(text)]).toEqual([text, ['truncated-record']]);
  expect(() => decode([bytesOf('{not json\n')])).toThrow(/contains no run event/);
});

test('records that repeat in id, name and data are dropped after a resume, and only then', () => {
  const event = (id: string, delta: string): RunEvent => ({ id, event: 'message.delta', data: { delta } });
  const lines = (...events: RunEvent[]): Uint8Array =>
    bytesOf(events.map((one) => JSON.stringify(one)).join('\n'));
  const seen = new SeenEvents();
  const first = new RunStreamDecoder({ seen });
  expect([
    ...first.push(lines(event('1', 'a'), event('1', 'a'), event('2', 'b'), event('3', 'c'))),
    ...first.end(),
  ]).toHaveLength(4);

  const resumed = new RunStreamDecoder({ seen, resumed: seen.upTo('2') });
  const again = resumed.push(
    lines(
      event('1', 'a'),
      event('2', 'b'),
      event('2', 'other'),
      event('3', 'c'),
      event('3', 'c'),
      event('4', 'd'),
    ),
  );
  again.push(...resumed.end());
  expect(again).toEqual([event('2', 'other'), event('3', 'c'), event('4', 'd')]);
});

test('the record of seen events is bounded by size', () => {
  const seen = new SeenEvents();
  const event = (id: string): RunEvent => ({ id, event: 'message.created', data: {} });
  for (const id of ['1', '2', '3']) seen.remember(event(id), 1_500_000);
  expect(['1', '2', '3'].map((id) => seen.has(event(id)))).toEqual([false, false, true]);
  seen.remember(event('4'), 4_194_305);
  expect(seen.has(event('4'))).toBe(false);
  expect(seen.has(event('3'))).toBe(true);
});

test('the record of seen events is bounded and keeps the latest', () => {
  const seen = new SeenEvents();
  for (let index = 0; index < 10_000; index += 1) {
    seen.remember({ id: String(index), event: 'message.delta', data: {} }, 100);
  }
  expect(seen.has({ id: '9999', event: 'message.delta', data: {} })).toBe(true);
  expect(seen.has({ id: '9999', event: 'message.delta', data: { other: 1 } })).toBe(false);
  expect(seen.has({ id: '10', event: 'message.delta', data: {} })).toBe(false);
});

test('diagnostics end after a hundred, and excerpts are short and free of secrets', () => {
  const diagnostics: { code: string; excerpt?: string }[] = [];
  const decoder = new RunStreamDecoder({
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    redact: (text) => text.replaceAll('sesame', '[token]'),
  });
  decoder.push(bytesOf(`{"a" sesame ${'x'.repeat(500)}}\n`.repeat(500)));
  expect(diagnostics).toHaveLength(100);
  expect(diagnostics.at(-1)?.code).toBe('diagnostics-suppressed');
  expect(diagnostics[0]?.excerpt).toHaveLength(200);
  expect(diagnostics[0]?.excerpt).not.toContain('sesame');
});

test('iterating a stream gives its events, and leaving early cancels it', async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytesOf('{"id":"1","event":"message.delta","data":{}}\n')),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const event of decodeRunStream(stream)) {
    expect(event.event).toBe('message.delta');
    break;
  }
  expect(cancelled).toBe(true);
});
