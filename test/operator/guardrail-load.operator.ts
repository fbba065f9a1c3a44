import { expect, test } from '@playwright/test';
import { collect, say, spelled } from '../service/running-service.ts';
import { startChild, type ServiceChild } from '../service/service-child.ts';
import { figure, percentile } from './figures.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

let child: ServiceChild;
const directory = mkdtempSync(join(tmpdir(), 'agent-chat-load-'));

test.beforeAll(async () => {
  child = await startChild({ DATA_DIR: directory });
});
test.afterAll(async () => {
  await child.kill();
  rmSync(directory, { recursive: true });
});

/** Asks for a URL every 5 ms, in a thread of its own: that of the test has 32 streams to read. */
function startSupervisor(url: string): { stop(): Promise<number[]> } {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const waits = [];
    parentPort.on('message', () => { parentPort.postMessage(waits); process.exit(); });
    const ask = async () => {
      const began = performance.now();
      await (await fetch(workerData)).text();
      waits.push(performance.now() - began);
      setTimeout(ask, 5);
    };
    void ask();`;
  const worker = new Worker(code, { eval: true, workerData: url });
  return {
    stop: () =>
      new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('stop');
      }),
  };
}

test('guardrails on 32 long texts full of digits delay nobody', async () => {
  test.setTimeout(180_000);
  const guardrails = {
    pii: { input: { enabled: true }, output: { enabled: true }, mask: { remove_entity_value: true } },
  };
  const short = say('Write to ada@example.com please.', { agent_id: 'echo', guardrails });
  expect(spelled(await collect(child.client().runStream(short)))).toBe('Write to [EMAIL] please.');
  const text = '+1'.repeat(49_000);
  const ask = async (place: number): Promise<number> => {
    let length = 0;
    const pace = { additional_parameters: { delay_ms: 0, chunk_length: 1_000 } };
    const request = say(text, { agent_id: 'echo', guardrails, ...pace });
    for await (const event of child.client(`visitor ${place}`).runStream(request)) {
      const delta = event.data['delta'] as { content?: { text?: string }[] } | undefined;
      length += delta?.content?.[0]?.text?.length ?? 0;
    }
    return length;
  };
  const supervisor = startSupervisor(`${child.address}/healthz`);
  const began = performance.now();
  const lengths = await Promise.all(Array.from({ length: 32 }, (_, place) => ask(place)));
  const waits = await supervisor.stop();
  expect(lengths).toEqual(lengths.map(() => text.length));
  const p99 = percentile(waits, 0.99);
  figure('p99 of /healthz', `${p99.toFixed(0)} ms`, '≤ 50 ms');
  figure('longest /healthz', `${Math.max(...waits).toFixed(0)} ms`, '');
  figure('32 runs of 98 kB', `${((performance.now() - began) / 1000).toFixed(1)} s`, '');
  expect(p99).toBeLessThanOrEqual(50);
});
