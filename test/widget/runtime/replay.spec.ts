import { expect, test } from '@playwright/test';
import { playRecording } from '../../../src/widget/runtime/replay.ts';

const line = JSON.stringify({
  at: 0,
  event: 'run.created',
  data: { run_id: 'r-1', thread_id: 't-1', agent_id: 'a' },
});

test('a recording plays on a plain http page, which has no crypto.randomUUID', async () => {
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.resolve(new Response(`${line}\n`));
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    const response = await playRecording('/recordings/insecure.ndjson', 'https://chat.example/runs/stream');
    const played: unknown = JSON.parse(await response.text());
    expect(played).toMatchObject({ event: 'run.created', data: { agent_id: 'a' } });
    expect(played, 'the thread may be another visitor’s').not.toHaveProperty('data.thread_id');
    expect(played).not.toMatchObject({ data: { run_id: 'r-1' } });
  } finally {
    globalThis.fetch = fetch;
    Reflect.deleteProperty(crypto, 'randomUUID');
  }
});

test('a recording that is cancelled stops without an unhandled rejection', async () => {
  const { fetch } = globalThis;
  const later = JSON.stringify({ at: 60, event: 'run.completed', data: {} });
  globalThis.fetch = () => Promise.resolve(new Response(`${line}\n${later}\n`));
  const unhandled: unknown[] = [];
  const keep = (reason: unknown): number => unhandled.push(reason);
  process.on('unhandledRejection', keep);
  try {
    const { body } = await playRecording('/recordings/left.ndjson', 'https://chat.example/runs/stream');
    await body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', keep);
    globalThis.fetch = fetch;
  }
});

test('a recording that is one JSON array is called what it is', async () => {
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.resolve(new Response(`[${line}]`));
  try {
    const response = await playRecording('/recordings/array.json', 'https://chat.example/runs/stream');
    expect(JSON.parse(await response.text())).toMatchObject({
      event: 'run.failed',
      data: {
        error: {
          message:
            'The recording /recordings/array.json cannot be played: it must have one JSON object per line, not an array',
        },
      },
    });
  } finally {
    globalThis.fetch = fetch;
  }
});

test('a run fails when the recording cannot be read; nothing says that the service is at fault', async () => {
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.resolve(new Response('', { status: 404 }));
  try {
    const response = await playRecording('/recordings/lost.ndjson', 'https://chat.example/runs/stream');
    expect(response.status).toBe(200);
    const message =
      "The recording /recordings/lost.ndjson cannot be played: the recording's URL answered 404";
    expect(JSON.parse(await response.text())).toMatchObject({
      event: 'run.failed',
      data: { error: { code: 'replay', message } },
    });
  } finally {
    globalThis.fetch = fetch;
  }
});
