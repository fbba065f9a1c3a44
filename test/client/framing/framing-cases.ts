import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { isQuick } from '../../tools/quick.ts';
import { bytesOf } from './chunkings.ts';

/** A stream, with what comes out of it. */
export interface FramingCase {
  readonly name: string;
  readonly text: string;
  readonly events: readonly RunEvent[];
  readonly diagnostics: readonly string[];
  readonly recordLimit?: number;
}

const folder = new URL('../../fixtures/framing/', import.meta.url);
/** The cases of `test/fixtures/framing/`. */
export const fixtures = readdirSync(folder)
  .sort()
  .map((file) => ({
    title: file.replace('.json', '').replaceAll('-', ' '),
    // Fixtures are written by hand in exactly this shape.
    cases: (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { cases: FramingCase[] }).cases,
  }));

const delta = (id: string, text: string): RunEvent => ({
  id,
  event: 'message.delta',
  data: { delta: text },
});
const done = (id: string): RunEvent => ({ id, event: 'done', data: {} });
const firstDelta = 'id: 1\nevent: message.delta\ndata: {"delta":"a"}\n';

/** Event streams as most services write them, some of which turn into something else on the way. */
export const eventStreams: readonly FramingCase[] = [
  {
    name: 'comment, named events, blank lines',
    text: ': hello\n\nid: 1\nevent: message.delta\ndata: {"delta":"a"}\n\nid: 1-2\nevent: done\ndata: {}\n\n',
    events: [delta('1', 'a'), done('1-2')],
    diagnostics: [],
  },
  {
    name: 'characters of several bytes, then a whole event as data',
    text: 'id: 1\nevent: message.delta\ndata: {"delta":"ä🚤"}\n\ndata: {"id":"2","event":"done","data":{}}\n\n',
    events: [delta('1', 'ä🚤'), done('2')],
    diagnostics: [],
  },
  {
    name: 'no blank line between two events',
    text: `${firstDelta}id: 2\nevent: message.delta\ndata: {"delta":"b"}\n`,
    events: [delta('1', 'a'), delta('2', 'b')],
    diagnostics: [],
  },
  {
    name: 'an unknown field, a line that is no field, the [DONE] mark',
    text: `${firstDelta}\nodd: field\nand a line\n\ndata: [DONE]\n\n`,
    events: [delta('1', 'a'), done('')],
    diagnostics: ['malformed-record'],
  },
  {
    name: 'a JSON object without a field name and without a line end',
    text: `${firstDelta}\n{"id":"2","event":"done","data":{}}`,
    events: [delta('1', 'a'), done('2')],
    diagnostics: [],
  },
  {
    name: 'retry, a field without a colon, an event without data',
    text: `retry: 5\n\nunknown\n\n${firstDelta}\nid: 2\nevent: done\n\nid: 3\nevent: done\ndata: {}`,
    events: [delta('1', 'a'), done('2'), done('3')],
    diagnostics: [],
  },
  {
    name: 'an empty list where PHP means an object without fields',
    text: `${firstDelta}\n{"id":"2","event":"run.completed","data":[]}\n\nid: 3\nevent: done\ndata: []\n\n`,
    events: [delta('1', 'a'), { id: '2', event: 'run.completed', data: {} }, done('3')],
    diagnostics: [],
  },
];

/** An event. Made in the test: each process that lists the tests would take a second for the strings. */
export const wireEvent = () =>
  fc.record({
    id: fc.stringMatching(/^[0-9]{1,6}-[0-9]$/),
    event: fc.constantFrom('run.started', 'message.delta', 'run.step.delta', 'message.created', 'done'),
    data: fc.dictionary(
      fc.stringMatching(/^[a-z_]{1,8}$/),
      fc.oneof(
        fc.string({ unit: isQuick ? 'grapheme-ascii' : 'grapheme' }),
        fc.string({ unit: 'binary' }),
        fc.jsonValue(),
      ),
      { minKeys: 1, noNullPrototype: true },
    ),
  });

/** Every way a service was seen to write its events, as functions from events to text. */
export const framings: Readonly<Record<string, (events: readonly RunEvent[]) => string>> = {
  lines: (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  'lines with CRLF': (events) => events.map((event) => JSON.stringify(event)).join('\r\n'),
  'event stream': (events) =>
    events
      .map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      .join(''),
  'event stream of envelopes': (events) =>
    events.map((event) => `data:${JSON.stringify(event)}\r\n\r\n`).join(''),
  'event stream with lone CR': (events) =>
    events.map((event) => `data: ${JSON.stringify(event)}\r\r`).join(''),
  'data lines without blank lines': (events) =>
    events.map((event) => `data: ${JSON.stringify(event)}\n`).join(''),
  'pretty data lines': (events) =>
    events
      // not /^/gm: that matches after U+2028 too, which is no line end on the wire
      .map((event) => `${JSON.stringify(event, null, 1).replace(/^|\n/g, '$&data: ')}\n\n`)
      .join(''),
  concatenated: (events) => events.map((event) => JSON.stringify(event)).join(''),
  pretty: (events) => events.map((event) => JSON.stringify(event, null, 2)).join('\n'),
  array: (events) => JSON.stringify(events),
  'pretty array': (events) => JSON.stringify(events, null, 4),
};

/** Bytes of pieces that framings consist of, in any order. Made in the test, like `wireEvent`. */
export function anyBytes(): fc.Arbitrary<Uint8Array> {
  const snippets = [
    '{"id":"1","event":"x","data":{}}',
    'data: ',
    'event: a\n',
    '{"a":',
    '\n',
    '\r',
    '[',
    ']',
    ',',
    '"',
    '{}',
    '}',
  ];
  return fc
    .array(fc.oneof(fc.constantFrom(...snippets), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 25,
    })
    .map((parts) => bytesOf(parts.join('')));
}

/** Cuts bytes into reads of these lengths, and one of the rest. */
export function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const reads: Uint8Array[] = [];
  let start = 0;
  for (const length of lengths) {
    reads.push(bytes.subarray(start, start + length));
    start += length;
  }
  return [...reads, bytes.subarray(start)];
}
