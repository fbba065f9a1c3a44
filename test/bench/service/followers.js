import { Agent, request as httpRequest } from 'node:http';
import { percentile, until, usage } from './measures.js';

/** Seconds to start all runs and followers, and for each measurement. */
const warm = 4;
const seconds = 10;

/**
 * Measures runs on one instance, each with the reader that started it, with and without followers on another instance:
 * the processor time of both, the delay of events at the followers, and the database's statements for each event.
 */
export async function measureFollowers({ owner, other, token, statements, runs, delay, followed }) {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const text = 'tide '.repeat(Math.ceil(((warm * 2 + seconds + 20) * 1000) / delay));
  const body = JSON.stringify({
    agent_id: 'echo',
    message: { role: 'user', content: [{ response_type: 'text', text }] },
    additional_parameters: { delay_ms: delay, chunk_length: 5 },
  });
  const send = (address, path, options, hear) => {
    const request = httpRequest(`${address}/api/v1/hub${path}`, {
      agent,
      ...options,
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...options.headers },
    });
    request.on('error', () => undefined);
    request.on('response', (response) => {
      response.on('error', () => undefined);
      hear(response);
    });
    request.end(options.body);
    return request;
  };
  const owners = [];
  const ids = await Promise.all(
    Array.from({ length: runs }, async (_, place) => {
      await until(performance.now() + (place / runs) * warm * 1000);
      return new Promise((resolve) => {
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const request = send(owner.address, '/runs/stream', { method: 'POST', headers, body }, (response) => {
          resolve(response.headers['x-run-id']);
          response.resume();
        });
        owners.push(request);
      });
    }),
  );
  const lags = [];
  let events = 0;
  let measuring = false;
  const readers = followed
    ? ids.map((id) =>
        send(other.address, `/runs/${id}/events`, { method: 'GET' }, (response) => {
          response.setEncoding('latin1');
          response.on('data', (text) => {
            if (!measuring) return;
            for (const match of text.matchAll(/id: (\d+)-\d+\nevent: message\.delta/g)) {
              lags.push(Date.now() - Number(match[1]));
              events += 1;
            }
          });
        }),
      )
    : [];
  await until(performance.now() + warm * 1000);
  const before = [usage(owner.pid), usage(other.pid), await statements()];
  measuring = true;
  const began = performance.now();
  await until(began + seconds * 1000);
  measuring = false;
  const elapsed = performance.now() - began;
  const after = [usage(owner.pid), usage(other.pid), await statements()];
  for (const reader of [...owners, ...readers]) reader.destroy();
  await cancel(ids, (id) =>
    send(owner.address, `/runs/${id}/cancel`, { method: 'POST' }, (answer) => answer.resume()),
  );
  agent.destroy();
  const produced = (runs * elapsed) / delay;
  return {
    runs,
    eventsPerSecond: (produced / elapsed) * 1000,
    executionMicroseconds: ((after[0].cpu - before[0].cpu) / produced) * 1e6,
    followingMicroseconds: ((after[1].cpu - before[1].cpu) / produced) * 1e6,
    statementsPerEvent: (after[2] - before[2]) / produced,
    ...(followed
      ? { followedEvents: events, lagP50: percentile(lags, 0.5), lagP99: percentile(lags, 0.99) }
      : {}),
  };
}

async function cancel(ids, send) {
  for (const id of ids) send(id);
  await until(performance.now() + 3_000);
}
