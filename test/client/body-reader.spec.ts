import { expect, test } from '@playwright/test';
import { BodyReader } from '../../src/client/body-reader.ts';
import type { OpenResponse } from '../../src/client/requester.ts';

/** A body in pieces, each handed over as soon as the one before was read; then its end, an error or silence. */
function readerOf(pieces: readonly string[], then: 'end' | 'error' | 'silence' = 'end'): BodyReader {
  const left = [...pieces];
  const closing = new AbortController();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        const piece = left.shift();
        if (piece !== undefined) stream.enqueue(new TextEncoder().encode(piece));
        else if (then === 'end') stream.close();
        else if (then === 'error') stream.error(new TypeError('cut'));
      },
    },
    { highWaterMark: 0 },
  );
  return new BodyReader(openedWith(new Response(body), closing), 0);
}

function openedWith(response: Response, closing: AbortController): OpenResponse {
  const close = (reason?: unknown): void => closing.abort(reason);
  return { response, url: '', signal: closing.signal, release: () => undefined, close };
}

async function textOf(reader: BodyReader): Promise<string | undefined> {
  const bytes = await reader.read();
  return bytes && new TextDecoder().decode(bytes);
}

test('gathering joins the pieces that came, and ends with the body', async () => {
  const reader = readerOf(['one ', 'two ', 'three']);
  expect(await textOf(reader)).toBe('one ');
  const before = performance.now();
  await reader.gather(5_000);
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(await textOf(reader)).toBe('two three');
  expect(await textOf(reader)).toBeUndefined();
  reader.stop();
});

test('what was gathered before a body breaks is read first', async () => {
  const reader = readerOf(['one ', 'two ', 'three'], 'error');
  expect(await textOf(reader)).toBe('one ');
  await reader.gather(5_000);
  expect(await textOf(reader)).toBe('two three');
  await expect(reader.read()).rejects.toThrow('cut');
  reader.stop();
});

test('a piece that comes after the time to gather is read next', async () => {
  let send = (_text: string): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      send = (text) => stream.enqueue(new TextEncoder().encode(text));
    },
  });
  const closing = new AbortController();
  const reader = new BodyReader(openedWith(new Response(body), closing), 0);
  await reader.gather(5);
  send('late');
  expect(await textOf(reader)).toBe('late');
  const gathering = reader.gather(60_000);
  closing.abort(new Error('stopped'));
  await gathering; // an abort ends the wait
  await expect(reader.read()).rejects.toThrow('stopped');
  reader.stop();
});

test('gathering reads a bounded part of a body without end', async () => {
  const reader = readerOf(Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)));
  await reader.gather(5);
  expect((await textOf(reader))?.length).toBeLessThan(70_000);
  reader.stop();
});

test('a page that sleeps repeatedly extends the idle timeout of a stream once', async () => {
  const closing = new AbortController();
  const response = new Response(new ReadableStream<Uint8Array>());
  const reader = new BodyReader(openedWith(response, closing), 20);
  const now = performance.now.bind(performance);
  let looks = 0;
  performance.now = () => now() + 60_000 * looks++; // a minute is lost between any two looks at the clock
  try {
    await expect(reader.read()).rejects.toMatchObject({ name: 'TimeoutError', phase: 'idle' });
  } finally {
    performance.now = now;
    reader.stop();
  }
});

test('a silent stream times out although the system clock is set back', async () => {
  const closing = new AbortController();
  const response = new Response(new ReadableStream<Uint8Array>());
  const reader = new BodyReader(openedWith(response, closing), 20);
  const { now } = Date;
  const reading = reader.read();
  Date.now = () => now() - 3_600_000;
  try {
    await expect(reading).rejects.toMatchObject({ name: 'TimeoutError', phase: 'idle' });
  } finally {
    Date.now = now;
    reader.stop();
  }
});

for (const [then, isCancelled] of [
  ['end', false],
  ['silence', true],
] as const) {
  test(`a body that is read far enough is ${isCancelled ? 'cancelled when it does not end' : 'not cancelled when it ends by itself'}`, async () => {
    let cancelled = false;
    const closing = new AbortController();
    const left = ['one ', 'two'];
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        const piece = left.shift();
        if (piece !== undefined) stream.enqueue(new TextEncoder().encode(piece));
        else if (then === 'end') stream.close();
      },
      cancel() {
        cancelled = true;
      },
    });
    let releases = 0;
    const opened = { ...openedWith(new Response(body), closing), release: () => void (releases += 1) };
    const reader = new BodyReader(opened, 0);
    expect(await textOf(reader)).toBe('one ');
    reader.finish();
    // the first release lets go of the caller's signal, the second one ends the reading
    await expect.poll(() => releases + Number(closing.signal.aborted), { timeout: 10_000 }).toBe(2);
    expect([cancelled, closing.signal.aborted]).toEqual([isCancelled, isCancelled]);
  });
}
