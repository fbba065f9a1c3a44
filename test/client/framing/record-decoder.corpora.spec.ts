import { expect, test } from '@playwright/test';
import { RecordDecoder } from '../../../src/client/framing/record-decoder.ts';
import { isFault, type StreamRecord } from '../../../src/client/framing/stream-record.ts';
import { corpus } from '../../tools/corpora.ts';
import { chunkingsOf } from './chunkings.ts';
import { expectSame } from '../../tools/expect-same.ts';

interface ByteCase {
  readonly name: string;
  readonly input_base64?: string;
  readonly parts?: readonly { readonly text?: string; readonly base64?: string; readonly times: number }[];
  readonly chunks_base64?: readonly string[];
}

interface SseCase extends ByteCase {
  /** What the HTML standard dispatches. `data` is missing where it is too long to be written down. */
  readonly expected: readonly { readonly data?: string }[];
}

interface NdjsonCase extends ByteCase {
  readonly expected: readonly ({ readonly value: unknown } | { readonly error: true })[];
}

interface JsonCase extends ByteCase {
  readonly expect: 'accept' | 'reject' | 'either';
}

const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

function inputOf(one: ByteCase): Uint8Array {
  if (one.input_base64 !== undefined) return fromBase64(one.input_base64);
  const parts = (one.parts ?? []).flatMap(({ text, base64, times }) =>
    Array<Buffer>(times).fill(base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64')),
  );
  return new Uint8Array(Buffer.concat(parts));
}

function* readsOf(one: ByteCase): Generator<{ name: string; reads: Iterable<Uint8Array> }> {
  const bytes = inputOf(one);
  if (one.chunks_base64) yield { name: 'as recorded', reads: one.chunks_base64.map(fromBase64) };
  yield* chunkingsOf(bytes);
}

function decodeRecords(reads: Iterable<Uint8Array>): { records: StreamRecord[]; faults: StreamRecord[] } {
  const decoder = new RecordDecoder();
  const all: StreamRecord[] = [];
  for (const bytes of reads) all.push(...decoder.push(bytes));
  all.push(...decoder.end());
  return { records: all.filter((record) => !isFault(record)), faults: all.filter(isFault) };
}

/** The object that an event carries as JSON; nothing for other data, which the run stream does not use. */
function valueOf({ data = '' }: { readonly data?: string }): unknown[] {
  try {
    const value = JSON.parse(data) as unknown;
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
}

const valuesOf = (records: readonly StreamRecord[]): unknown[] =>
  records.map((record) => (record.kind === 'value' ? record.value : record.kind));

/** As the corpus wrote it down: without the sign of zero. */
const asWritten = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

test('the record decoder reads every case of the event-stream corpus the same however it is split', () => {
  const sse = corpus<SseCase>('sse');
  test.skip(sse === undefined, 'skipped: the corpora are not beside the project');
  let withValues = 0;
  for (const one of sse?.cases ?? []) {
    const whole = decodeRecords([inputOf(one)]);
    for (const { name, reads } of readsOf(one)) {
      expectSame(decodeRecords(reads), whole, `${one.name}, ${name}`);
    }
    const values = one.expected.flatMap(valueOf);
    if (values.length === 0) continue;
    withValues += 1;
    const found = whole.records.flatMap((record) => (record.kind === 'value' ? [record.value] : []));
    expect(found, one.name).toEqual(expect.arrayContaining(values));
  }
  expect(sse?.cases.length).toBe(124);
  expect(withValues).toBe(3);
});

test('the record decoder loses no value of the newline-delimited corpus and reports every bad line', () => {
  const ndjson = corpus<NdjsonCase>('ndjson');
  test.skip(ndjson === undefined, 'skipped: the corpora are not beside the project');
  // What follows a whole object on its line does not take the object back: with concatenated objects it went out
  // before the rest was there.
  const valueBeforeGarbage = /object_(?:with_)?trailing/;
  for (const one of ndjson?.cases ?? []) {
    const expected = one.expected.flatMap((line) => ('value' in line ? [line.value] : []));
    const bad = one.expected.length - expected.length;
    for (const { name, reads } of readsOf(one)) {
      const { records, faults } = decodeRecords(reads);
      const values = asWritten(valuesOf(records));
      if (valueBeforeGarbage.test(one.name)) {
        expect(values, `${one.name}, ${name}`).toEqual(expect.arrayContaining(expected));
        expect(records.length + faults.length, `${one.name}, ${name}`).toBeGreaterThan(one.expected.length);
      } else {
        expectSame(values, expected, `${one.name}, ${name}`);
        expectSame(faults.length, bad, `${one.name}, ${name}`);
      }
    }
  }
});

test('the record decoder takes exactly the documents of the JSON corpus that are JSON', () => {
  const json = corpus<JsonCase>('json');
  test.skip(json === undefined, 'skipped: the corpora are not beside the project');
  for (const one of json?.cases ?? []) {
    for (const { name, reads } of readsOf(one)) {
      const { records, faults } = decodeRecords(reads);
      const accepted = records.length === 1 && faults.length === 0;
      if (one.expect === 'accept') {
        const text = new TextDecoder().decode(inputOf(one));
        expectSame(faults, [], `${one.name}, ${name}`);
        expectSame(valuesOf(records), [JSON.parse(text)], `${one.name}, ${name}`);
      } else if (one.expect === 'reject') {
        expectSame(accepted, false, `${one.name}, ${name}`);
      } else {
        expectSame(records.length + faults.length > 0, true, `${one.name}, ${name}`);
      }
    }
  }
  expect(json?.cases.length).toBe(204);
});
