import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StreamResponses } from '../../../src/service/http/stream-response.ts';
import { say, startService, type RunningService } from '../running-service.ts';

let running: RunningService;
test.beforeAll(async () => {
  running = await startService();
});
test.afterAll(() => running.close());

/** Runs an agent over a plain connection. Returns what arrived, read by read. */
async function readsOf(text: string): Promise<string[]> {
  const { hostname, port } = new URL(running.address);
  const body = JSON.stringify(say(text, { agent_id: 'echo', additional_parameters: { delay_ms: 100 } }));
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      'POST /api/v1/hub/runs/stream HTTP/1.1',
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${await running.token()}`,
      'content-type: application/json',
      'accept: text/event-stream',
      'connection: close',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  const reads: string[] = [];
  for await (const read of socket.setEncoding('utf8')) reads.push(String(read));
  return reads;
}

test('the headers come with the first event, and the end of the answer with that of the run', async () => {
  const reads = await readsOf('four');
  expect(reads.map((read) => read.match(/(?<=event: ).*/g))).toEqual([
    ['run.started'],
    ['message.started', 'message.delta'],
    ['message.created', 'message.completed', 'run.completed', 'done'],
  ]);
  expect(reads[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(reads[2]).toMatch(/\r\n0\r\n\r\n$/);
});

test('a stream that has nothing to send yet begins with a heartbeat: Firefox waits for a byte', async () => {
  const server = createServer();
  const streams = new StreamResponses({ rename: (json) => json, onError: () => undefined });
  server.once('request', (request, raw) => {
    const reply = { raw, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply;
    void streams.send(request as unknown as FastifyRequest, reply, async function* (signal) {
      await once(signal, 'abort');
    });
    // whatever comes later is no heartbeat of this stream
    streams.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`, { headers: { accept: 'text/event-stream' } });
  expect(await response.text()).toBe(':\n\n');
  server.close();
});
