import { expect, test } from '@playwright/test';
import { collect, say, spelled } from '../service/running-service.ts';
import { startChild, type ServiceChild } from '../service/service-child.ts';
import { figure, percentile } from './figures.ts';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let child: ServiceChild;
let directory: string;

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-load-'));
  child = await startChild({ DATA_DIR: directory });
});
test.afterAll(async () => {
  await child.kill();
  rmSync(directory, { recursive: true });
});

/**
 * Asks for a URL every 5 ms, as a supervisor does: in a process of its own, that of the test has 32 streams to read.
 */
async function startSupervisor(url: string): Promise<{ stop(): Promise<number[]> }> {
  const code = `
    const { get, Agent } = require('node:http');
    const agent = new Agent({ keepAlive: true });
    const waits = [];
    const ask = () => {
      const began = performance.now();
      get(process.argv[1], { agent }, (response) => {
        response.resume().on('end', () => {
          if (waits.push(performance.now() - began) === 20) process.send('ready');
          setTimeout(ask, 5);
        });
      });
    };
    process.once('message', () => process.send(waits, () => process.exit()));
    ask();`;
  const supervisor = spawn(process.execPath, ['-e', code, url], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const heard = <Type>(): Promise<Type> =>
    new Promise((resolve) => supervisor.once('message', (value) => resolve(value as Type))); // what it sends
  await heard<'ready'>();
  return {
    stop: () => {
      supervisor.send('stop');
      return heard<number[]>();
    },
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
  const supervisor = await startSupervisor(`${child.address}/healthz`);
  const began = performance.now();
  const lengths = await Promise.all(Array.from({ length: 32 }, (_, place) => ask(place)));
  const waits = (await supervisor.stop()).slice(20); // without those before the load
  expect(lengths).toEqual(lengths.map(() => text.length));
  const p99 = percentile(waits, 0.99);
  figure('p99 of /healthz', `${p99.toFixed(0)} ms`, '≤ 50 ms');
  figure('longest /healthz', `${Math.max(...waits).toFixed(0)} ms`, '');
  figure('32 runs of 98 kB', `${((performance.now() - began) / 1000).toFixed(1)} s`, '');
  expect(p99).toBeLessThanOrEqual(50);
});
