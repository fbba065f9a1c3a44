import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { startBooking } from '../demo/booking-service.ts';
import { startService } from '../service/running-service.ts';
import { snippets } from './snippets.ts';

const example = fileURLToPath(new URL('../../demo/clients/approve.mjs', import.meta.url));
const inPython = fileURLToPath(new URL('../../demo/clients/ask.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0;

test('the client of the documents sees a decision as a form, answers it, and the berth is booked', async () => {
  const service = await startBooking();
  const env = {
    ...process.env,
    FORCE_COLOR: '0',
    CHAT_URL: service.baseUrl,
    CHAT_TOKEN: await service.token(),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
  await service.close();
  expect(stdout).toContain("Book a berth? { berth: 'B2', boat: 'Wal', nights: 2 }");
  expect(stdout).toContain('Your number is **HB-1001**');
});

test('the client in Python prints a decision as a question', async () => {
  test.skip(!hasPython, 'skipped: python3 is not installed');
  const service = await startBooking();
  const env = { ...process.env, CHAT_URL: service.baseUrl, CHAT_TOKEN: await service.token() };
  const { stdout } = await promisify(execFile)('python3', [inPython, 'Book B2 for the Wal'], {
    env: { ...env, CHAT_AGENT: 'booking' },
  });
  await service.close();
  expect(stdout).toContain('"sub_type": "tool_approval"');
});

/** Runs the client against a service that answers with these events. */
async function askOf(events: readonly object[]): Promise<{ stdout: string; stderr: string }> {
  const lines = events.map((event, place) => JSON.stringify({ id: String(place), data: {}, ...event }));
  const server = createServer((request, response) =>
    request.resume().once('end', () => response.end(lines.join('\n'))),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const env = { ...process.env, CHAT_URL: `http://127.0.0.1:${port}`, CHAT_TOKEN: 'any' };
  try {
    return await promisify(execFile)('python3', [inPython, 'When is high water?'], { env });
  } finally {
    server.close();
  }
}

test('the client in Python ends with an error when the answer is not whole', async () => {
  test.skip(!hasPython, 'skipped: python3 is not installed');
  const cut = askOf([
    { event: 'message.delta', data: { delta: { content: [{ text: 'High water ' }] } } },
    { event: 'run.expired', data: { error: { message: 'The answer was interrupted.' } } },
    { event: 'done' },
  ]);
  await expect(cut).rejects.toMatchObject({
    code: 1,
    stdout: 'High water ',
    stderr: expect.stringContaining('The answer was interrupted.'),
  });
});

test('the client in Python prints each message once, with deltas or without', async () => {
  test.skip(!hasPython, 'skipped: python3 is not installed');
  const { stdout } = await askOf([
    { event: 'message.delta', data: { delta: { content: [{ text: 'High water ' }] } } },
    { event: 'message.created', data: { message: { content: [{ text: 'High water ' }] } } },
    { event: 'message.created', data: { message: { content: 'is at six.' } } },
    { event: 'done' },
  ]);
  expect(stdout).toBe('High water is at six.');
});

test('the client in Python prints the question of a slot, and does not wait for the end of its stream', async () => {
  test.skip(!hasPython, 'skipped: python3 is not installed');
  const { stdout } = await askOf([
    { event: 'message.delta', data: { delta: { content: [{ text: 'One thing is missing.' }] } } },
    { event: 'flow.slot.listen', data: { message: { content: [{ text: 'Which berth?' }] } } },
  ]);
  expect(stdout).toContain('Which berth?');
});

test('the client in Python asks, goes on in the thread, and says why it was refused', async () => {
  test.skip(!hasPython, 'skipped: python3 is not installed');
  const running = await startService();
  const ask = async (words: readonly string[], more: object = {}) => {
    const env = { ...process.env, CHAT_URL: running.address, CHAT_TOKEN: await running.token(), ...more };
    return promisify(execFile)('python3', [inPython, ...words], { env });
  };
  try {
    const { stdout, stderr } = await ask(['When is high water?']);
    expect(stdout).toBe('When is high water?');
    const thread = stderr.replace('thread ', '').trim();
    expect((await ask(['And low water?', thread])).stderr).toContain(thread);
    await expect(ask(['Ahoy'], { CHAT_AGENT: 'nobody' })).rejects.toThrow('no such agent');
  } finally {
    await running.close();
  }
});

test('the program for a broken connection of the documents reads the rest of the run', async () => {
  const program = snippets('js').find(({ text }) => text.includes('StreamInterruptedError'))?.text ?? '';
  const asked: string[] = [];
  const line = (id: string, event: string) => `${JSON.stringify({ id, event, data: { run_id: 'r1' } })}\n`;
  const server = createServer((request, response) => {
    asked.push(`${request.url ?? ''} ${request.headers['last-event-id'] ?? ''}`);
    if (request.url === '/token') return void response.end('{"token":"any"}');
    if (asked.filter((one) => one.startsWith('/api')).length === 2) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    if (request.method === 'GET') response.end(line('3', 'run.completed') + line('4', 'done'));
    else response.write(line('1', 'run.started') + line('2', 'message.delta'), () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const directory = mkdtempSync(fileURLToPath(new URL('../.results/broken-', import.meta.url))); // beside the installed packages
  try {
    const file = join(directory, 'program.mjs');
    writeFileSync(
      file,
      program
        .replace('https://chat.example.com', address)
        .replace('https://www.example.com/chat-token', `${address}/token`),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout.trim().split('\n')).toEqual([
      '1 run.started',
      '2 message.delta',
      '3 run.completed',
      '4 done',
    ]);
    expect(asked.at(-1)).toBe('/api/v1/hub/runs/r1/events 2');
  } finally {
    server.close();
    rmSync(directory, { recursive: true });
  }
});
