import { connect, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { collect, everyScope, say, secret, spelled, until } from './running-service.ts';
import { startChild, type ServiceChild } from './service-child.ts';

let child: ServiceChild;
let directory: string;
let token: string;

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-slow-'));
  // With this little heap, a service that kept unread answers would die of them.
  child = await startChild({ DATA_DIR: directory, NODE_OPTIONS: '--max-old-space-size=64' });
  token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600);
});
test.afterAll(async () => {
  await child.kill();
  rmSync(directory, { recursive: true, force: true });
});

/** Megabytes the process holds, by its own account. */
async function residentMegabytes(): Promise<number> {
  const text = await (await fetch(`${child.address}/metrics`)).text();
  return Number(/^agent_chat_process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${child.address}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? NaN);
}

function open(head: string, body = ''): Promise<Socket> {
  const { hostname, port } = new URL(child.address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `${head} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`,
      );
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

test('an idle service uses little memory', async () => {
  expect(await residentMegabytes()).toBeLessThan(150);
});

test('clients that never read use little memory, and their runs end', async () => {
  test.setTimeout(120_000);
  // 40,000 events, about 11 MB on the wire: more than the buffers of both ends of a connection take.
  const text = 'x'.repeat(40_000);
  const request = say(text, { agent_id: 'echo', additional_parameters: { delay_ms: 0, chunk_length: 1 } });
  const before = await residentMegabytes();
  const sockets: Socket[] = [];
  for (let place = 0; place < 3; place += 1) {
    const socket = await open('POST /api/v1/hub/runs/stream', JSON.stringify(request));
    socket.pause();
    sockets.push(socket);
  }
  const streams = 'agent_chat_open_streams\\{agent="echo"\\}';
  const ended = 'agent_chat_runs_ended_total\\{agent="echo",status="completed"\\}';
  await until(async () => (await metric(ended)) === 3, 100_000);
  expect(await metric(streams)).toBe(3);
  const during = await residentMegabytes();
  console.log(
    `3 clients that never read 33 MB: ${before.toFixed(0)} MB before, ${during.toFixed(0)} MB with them`,
  );
  expect(during - before).toBeLessThan(100);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await metric(streams)) === 0, 20_000);
});

for (const [what, path, readers] of [
  ['lists are read in turns', 'messages', 24],
  ['threads are followed bit by bit', 'events', 80],
] as const) {
  test(`large ${what} stay within the memory limit, whatever the number of requests`, async () => {
    const client = child.client('ada');
    const request = say('hi', { agent_id: 'echo', additional_parameters: { delay_ms: 0 } });
    const [first] = await collect(client.runStream(request));
    const threadId = String(first?.data['thread_id']);
    const large = [{ response_type: 'user_defined', user_defined: { x: 'x'.repeat(900_000) } }];
    for (let count = 0; count < 10; count += 1) await client.postCallback(threadId, { content: large });
    const thread = `/api/v1/hub/threads/${threadId}`;
    // What these would be given at once is more than the process may hold.
    const sockets = await Promise.all(Array.from({ length: readers }, () => open(`GET ${thread}/${path}`)));
    for (const socket of sockets) socket.pause();
    const headers = { authorization: `Bearer ${token}` };
    const small = await fetch(`${child.address}${thread}/messages?limit=1`, { headers });
    expect(await small.json()).toMatchObject({ messages: [{ content: large }] });
    const during = await residentMegabytes();
    console.log(`${readers} readers of 9 MB each: ${during.toFixed(0)} MB`);
    for (const socket of sockets) socket.destroy();
    expect(await client.extensions.listMessages(threadId)).toHaveLength(12);
  });
}

test('bodies that never end use no memory and do not block other requests', async () => {
  const before = await residentMegabytes();
  const sockets = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const { hostname, port } = new URL(child.address);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `POST /api/v1/hub/runs/stream HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"message":`,
      );
      return Promise.resolve(socket);
    }),
  );
  const client = child.client('quick');
  expect(
    spelled(
      await collect(
        client.runStream(say('still here', { agent_id: 'echo', additional_parameters: { delay_ms: 0 } })),
      ),
    ),
  ).toBe('still here');
  expect((await residentMegabytes()) - before).toBeLessThan(60);
  for (const socket of sockets) socket.destroy();
});

test('pages that all come back while the service is busy are served, none is reset', async () => {
  const limit = '/proc/sys/net/core/somaxconn'; // of Linux
  const queue = existsSync(limit) ? readFileSync(limit, 'utf8') : 0;
  test.skip(Number(queue) < 1_000, 'the system lets too few connections wait');
  child.process.kill('SIGSTOP'); // as busy as can be
  let sockets: readonly Socket[] = [];
  try {
    sockets = await Promise.all(Array.from({ length: 900 }, () => open('GET /healthz')));
  } finally {
    child.process.kill('SIGCONT');
  }
  for (const socket of sockets) {
    const [answer] = (await once(socket, 'data')) as [Buffer]; // no encoding is set
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  }
});
