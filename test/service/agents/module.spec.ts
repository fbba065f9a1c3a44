import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { collect, say, spelled, until } from '../running-service.ts';
import { builtCommand, startChild, type ServiceChild } from '../service-child.ts';

const moduleText = (): string => `import { AgentFailure } from '${dirname(builtCommand())}/index.js';
export default async function* (run) {
  const text = run.message.content[0].text;
  if (text === 'closed') throw new AgentFailure('closed', 'We are closed.');
  if (text === 'closes') {
    yield 'So. ';
    throw new AgentFailure('closed', 'We are closed.');
  }
  if (text === 'broken') throw new Error('no such table: tides');
  if (text === 'failed') return yield { event: 'run.failed', data: { error: { message: 'We are closed.' } } };
  if (text === 'asks') {
    const next = run.nextCallback();
    yield 'I asked. ';
    await new Promise((resolve) => setTimeout(resolve, 300));
    await next;
  }
  if (text === 'recalls') yield run.history.map(({ content }) => content.map((item) => item.text).join()).join();
  if (text === 'forgets') run.nextCallback();
  if (text === 'reminds') {
    const message = { role: 'assistant', content: [{ response_type: 'text', text: 'A month has passed.' }] };
    run.postLater(30 * 86_400_000, message);
  }
  if (text.startsWith('secret')) throw Object.assign(new Error('no berth for: ' + text), { code: 'E_BERTH', cause: new TypeError(text) });
  if (text === 'float') Promise.reject(new Error('left floating'));
  if (text === 'words') Promise.reject('only words');
  if (text === 'timer') setTimeout(() => { throw new Error('thrown in a timer'); }, 1);
  if (text === 'microtask') queueMicrotask(() => { throw new Error('thrown in a microtask'); });
  if (text === 'listener') run.signal.addEventListener('abort', () => { throw new Error('thrown in a listener'); });
  const item = { id: '2', response_type: 'user_defined' };
  const around = { ...item };
  around.self = around;
  const odd = {
    number: { event: 'message.delta', data: { delta: { content: [{ ...item, size: 1n }] } } },
    circle: { event: 'message.delta', data: { delta: { content: [around] } } },
    step: { event: 'run.step.delta', data: { delta: { step_details: [{ size: 1n }] } } },
    name: { event: 'constructor' },
    half: { event: 'half \\ud83d' },
  }[text];
  if (odd) yield* ['Before. ', odd];
  yield 'Said.';
}`;

let directory: string;
let child: ServiceChild;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-module-'));
  writeFileSync(join(directory, 'agent.mjs'), moduleText());
  const agentsFile = join(directory, 'agents.json');
  writeFileSync(
    agentsFile,
    JSON.stringify({
      agents: [
        { id: 'mine', kind: 'module', module: './agent.mjs' },
        { id: 'echo', kind: 'echo' },
      ],
    }),
  );
  child = await startChild({ DATA_DIR: join(directory, 'data'), AGENTS_FILE: agentsFile });
});
test.afterAll(async () => {
  await child.kill();
  rmSync(directory, { recursive: true, force: true });
});

/** A visitor's long answer, read while something else happens. */
async function besides(happens: () => Promise<void>): Promise<void> {
  const pace = { agent_id: 'echo', additional_parameters: { delay_ms: 40, chunk_length: 2 } };
  const other = collect(child.client('other').runStream(say('nobody cuts this off', pace)));
  await happens();
  const events = await other;
  expect(spelled(events)).toBe('nobody cuts this off');
  expect(events.at(-2)?.event).toBe('run.completed');
  expect(child.process.exitCode).toBe(null);
}

test('stopping a run that waits for a callback stops only that run', async () => {
  await besides(async () => {
    const client = child.client();
    const request = say('asks', { agent_id: 'mine' });
    const clientMessageId = randomUUID();
    request.message.additional_properties = { client_message_id: clientMessageId };
    const events: RunEvent[] = [];
    for await (const event of client.runStream(request)) {
      events.push(event);
      if (event.event === 'message.delta') await client.extensions.cancelRun(clientMessageId);
    }
    expect(events.at(-2)?.event).toBe('run.cancelled');
  });
});

test('an agent that ends without awaiting a requested callback causes no error', async () => {
  await besides(async () => {
    const events = await collect(child.client().runStream(say('forgets', { agent_id: 'mine' })));
    expect(events.at(-2)?.event).toBe('run.completed');
  });
});

test('a module gets content as a list, also from clients that send a text alone', async () => {
  const send = (content: string, more: object = {}) =>
    collect(child.client().runStream({ agent_id: 'mine', message: { role: 'user', content }, ...more }));
  const first = await send('Ahoy');
  const events = await send('recalls', { thread_id: String(first[0]?.data['thread_id']) });
  expect(spelled(events)).toBe('Ahoy,Said.Said.');
});

test('words that the author chose for the visitor are marked, others are not', async () => {
  const errorOf = async (text: string): Promise<unknown> =>
    (await collect(child.client().runStream(say(text, { agent_id: 'mine' })))).at(-2)?.data['error'];
  const closed = { audience: 'visitor', message: 'We are closed.' };
  expect(await errorOf('closed')).toEqual({ code: 'closed', ...closed });
  expect(await errorOf('failed')).toEqual(closed);
  expect(await errorOf('broken')).toEqual({ code: 'agent_error', message: expect.any(String) });
});

test('the words of a failure are stored with the partial answer', async () => {
  const client = child.client();
  const events = await collect(client.runStream(say('closes', { agent_id: 'mine' })));
  const messages = await client.extensions.listMessages(String(events[0]?.data['thread_id']));
  expect(JSON.parse(JSON.stringify(messages))).toContainEqual(
    expect.objectContaining({
      role: 'assistant',
      message_state: {
        run_status: 'failed',
        partial: true,
        reason: 'closed',
        error: { code: 'closed', audience: 'visitor', message: 'We are closed.' },
      },
    }),
  );
});

test('a message delayed beyond the maximum of a timer is not posted at once', async () => {
  const client = child.client();
  const events = await collect(client.runStream(say('reminds', { agent_id: 'mine' })));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const messages = await client.extensions.listMessages(String(events[0]?.data['thread_id']));
  expect(JSON.stringify(messages)).toContain('Said.');
  expect(JSON.stringify(messages)).not.toContain('A month has passed.');
});

for (const [text, words] of [
  ['float', 'left floating'],
  ['words', 'only words'],
  ['timer', 'thrown in a timer'],
  ['microtask', 'thrown in a microtask'],
  ['listener', 'thrown in a listener'],
] as const) {
  test(`an uncaught error of a module (${text}) is logged, and the service continues`, async () => {
    const before = child.log.length;
    await besides(async () => {
      const events = await collect(child.client().runStream(say(text, { agent_id: 'mine' })));
      expect(events.at(-2)?.event).toBe('run.completed');
      const told = (): string | undefined =>
        child.log.slice(before).find((line) => line.includes('await every'));
      await until(() => told() !== undefined);
      expect(told()).toContain('agent.mjs');
      expect(told()).not.toContain(words);
    });
  });
}

test('the log of an error of a module says where it was thrown, but not its message, which may quote the visitor', async () => {
  const events = await collect(child.client().runStream(say('secret of Marigold', { agent_id: 'mine' })));
  expect(events.at(-2)?.event).toBe('run.failed');
  const line = (): string | undefined => child.log.find((one) => one.includes('E_BERTH'));
  await until(() => line() !== undefined);
  const { err, msg } = JSON.parse(line()!) as { err: Record<string, string>; msg: string };
  expect([msg, err['type'], err['code'], err['cause']]).toEqual([
    'a run failed',
    'Error',
    'E_BERTH',
    'TypeError',
  ]);
  expect(err['stack']).toMatch(/^ {4}at .*agent\.mjs/);
  expect(child.log.join('\n')).not.toContain('Marigold');
});

for (const [text, end] of [
  ['number', 'run.failed'],
  ['circle', 'run.failed'],
  ['step', 'run.failed'],
  ['name', 'run.completed'],
  ['half', 'run.completed'],
] as const) {
  test(`an event that cannot be stored unchanged (${text}) affects no other run`, async () => {
    await besides(async () => {
      const client = child.client();
      const events = await collect(client.runStream(say(text, { agent_id: 'mine' })));
      expect(events.at(-2)?.event).toBe(end);
      const kept = await collect(client.extensions.runEvents(String(events[0]?.data['run_id'])));
      expect(kept.map((event) => event.id)).toEqual(events.map((event) => event.id));
      expect(spelled(await collect(client.runStream(say('next', { agent_id: 'mine' }))))).toBe('Said.');
    });
  });
}

test('an uncaught error outside modules stops the service gracefully with status 1', async () => {
  const broken = join(directory, 'broken.mjs');
  writeFileSync(broken, `process.once('SIGUSR2', () => { throw new Error('a fault of the service'); });`);
  const own = await startChild({
    DATA_DIR: join(directory, 'own'),
    NODE_OPTIONS: `--import=${broken}`,
  });
  const events: RunEvent[] = [];
  let ended: Promise<number | null> | undefined;
  for await (const event of own
    .client()
    .runStream(say('a long story', { agent_id: 'echo', additional_parameters: { delay_ms: 300 } }))) {
    events.push(event);
    if (event.event === 'message.delta') ended ??= own.kill('SIGUSR2');
  }
  expect(events.slice(-2).map((event) => event.event)).toEqual(['run.failed', 'done']);
  expect(await ended).toBe(1);
  expect(own.log.join('\n')).toContain('a fault of the service');
});
