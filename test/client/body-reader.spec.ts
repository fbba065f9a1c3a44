import { expect, test } from '@playwright/test';
import { BodyReader } from '../../src/client/body-reader.ts';

test('a page that sleeps repeatedly extends the idle timeout of a stream once', async () => {
  const closing = new AbortController();
  const response = new Response(new ReadableStream<Uint8Array>());
  const reader = new BodyReader(
    { response, url: '', signal: closing.signal, close: (reason) => closing.abort(reason) },
    20,
  );
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
  const reader = new BodyReader(
    { response, url: '', signal: closing.signal, close: (reason) => closing.abort(reason) },
    20,
  );
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
