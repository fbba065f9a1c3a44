import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { sign } from '../../../src/service/agents/upstream/signature.ts';
import { say, spelled } from '../../service/running-service.ts';
import { hasRuntime, signingSecret, type Runtime } from './backend-process.ts';
import { startBackendService, type BackendService } from './backend-service.ts';

const samples: readonly {
  file: string;
  runtime: Runtime;
  args: readonly string[];
  needs?: string;
}[] = [
  { file: 'harbour.mjs', runtime: 'node', args: ['harbour.mjs', '0'] },
  { file: 'harbour.py', runtime: 'python3', args: ['harbour.py', '0'] },
  {
    file: 'harbour_fastapi.py',
    runtime: 'python3',
    args: [
      '-c',
      'import uvicorn, socket, harbour_fastapi as h; s = socket.create_server(("127.0.0.1", 0)); print("listening on", s.getsockname()[1], flush=True); uvicorn.Server(uvicorn.Config(h.app, log_level="warning")).run([s])',
    ],
    needs: 'fastapi, uvicorn',
  },
];

for (const { file, runtime, args, needs } of samples) {
  test.describe(file, () => {
    let service: BackendService;
    test.beforeAll(async () => {
      test.skip(
        !hasRuntime(runtime, needs),
        `skipped: ${[runtime, needs ?? []].flat().join(' with ')} is not installed`,
      );
      service = await startBackendService(runtime, args);
    });
    test.afterAll(() => service?.close());

    const threadOf = (events: readonly RunEvent[]): string => String(events[0]?.data['thread_id']);

    test('it answers, knows the history, asks with a form and reads the answer', async () => {
      const first = await service.ask(say('Ahoy'));
      expect(spelled(first)).toBe('You said: Ahoy. That was message 1.');
      expect(first.at(-1)?.event).toBe('done');
      const thread = { thread_id: threadOf(first) };
      expect(spelled(await service.ask(say('Again', thread)))).toBe('You said: Again. That was message 3.');

      const asked = await service.ask(say('Book a berth', thread));
      const message = asked.find(({ event }) => event === 'message.interrupt')?.data['message'];
      expect(message).toMatchObject({ content: [{ response_type: 'forms', id: 'booking' }] });
      const answer = {
        response_type: 'form_operation',
        id: 'booking',
        form_operation: 'submit',
        form_data: { nights: 3 },
      };
      const booked = await service.ask({ ...thread, message: { role: 'user', content: [answer] } });
      expect(spelled(booked)).toBe('Berth booked for 3 nights.');
    });

    test('it answers a client that sends its text as a string', async () => {
      const first = await service.ask({ message: { role: 'user', content: 'Ahoy' } });
      expect(spelled(first)).toBe('You said: Ahoy. That was message 1.');
      const second = { thread_id: threadOf(first), message: { role: 'user', content: 'Again' } } as const;
      expect(spelled(await service.ask(second))).toBe('You said: Again. That was message 3.');
    });

    test('it goes on after a caller that breaks off in the middle of a request', async () => {
      const { hostname, port } = new URL(service.backendUrl);
      const socket = connect(Number(port), hostname);
      const head = `POST / HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n`;
      await new Promise<void>((resolve) => socket.write(`${head}{"message":`, () => resolve()));
      await wait(100); // the request has begun there
      socket.resetAndDestroy();
      await wait(100);
      expect(spelled(await service.ask(say('Ahoy')))).toBe('You said: Ahoy. That was message 1.');
    });

    test('it refuses requests that are not signed, changed, stale or repeated', async () => {
      const body = JSON.stringify({ message: { content: [{ text: 'Ahoy' }] }, history: [] });
      const post = async (signature: string | undefined, text = body): Promise<number> => {
        const headers = {
          'content-type': 'application/json',
          ...(signature && { 'x-agent-signature': signature }),
        };
        return (await fetch(service.backendUrl, { method: 'POST', headers, body: text })).status;
      };
      const good = sign(body, signingSecret);
      expect(await post(undefined)).toBe(401);
      expect(await post(sign(body, 'another secret'))).toBe(401);
      expect(await post(good, body.replace('Ahoy', 'Away'))).toBe(401);
      expect(await post(sign(body, signingSecret, Date.now() - 301_000))).toBe(401);
      expect(await post(good)).toBe(200);
      expect(await post(good)).toBe(401);
    });
  });
}
