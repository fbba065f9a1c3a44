import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../src/protocol/index.ts';
import { handleShutdownSignals } from '../../src/service/cli/shutdown-signals.ts';
import { collect, say, spelled, until } from './running-service.ts';
import { startChild, type ServiceChild } from './service-child.ts';

/** Fifty by the issue; fewer by default, so that the suite stays short. */
const kills = Number(process.env['KILLS'] ?? 4);

interface Acknowledged {
  readonly subject: string;
  readonly clientMessageId: string;
  readonly text: string;
  threadId?: string;
  runId?: string;
  /** Ids of messages the service said it has. */
  readonly messages: Set<string>;
  ended: string | undefined;
}

const ends = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.expired']);

/** One visitor who talks until the service dies, noting all that was acknowledged. */
async function talk(
  child: ServiceChild,
  subject: string,
  notes: Acknowledged[],
  dead: () => boolean,
): Promise<void> {
  const client = child.client(subject);
  for (let turn = 0; !dead(); turn += 1) {
    const note: Acknowledged = {
      subject,
      clientMessageId: randomUUID(),
      text: `turn ${turn} of ${subject}`,
      messages: new Set(),
      ended: undefined,
    };
    const request = say(note.text, {
      agent_id: 'echo',
      additional_parameters: { delay_ms: turn % 3 === 0 ? 40 : 2 },
    });
    request.message.additional_properties = { client_message_id: note.clientMessageId };
    try {
      for await (const event of client.runStream(request)) {
        note.threadId ??= String(event.data['thread_id']);
        if (!note.runId) notes.push(note);
        note.runId ??= String(event.data['run_id']);
        if (event.event === 'message.created') note.messages.add(String(event.data['message_id']));
        if (ends.has(event.event)) note.ended = event.event;
      }
      const stored = await client.postCallback(String(note.threadId), { content: `callback ${turn}` });
      if (stored) note.messages.add(stored.id);
    } catch {
      return;
    }
  }
}

async function verify(child: ServiceChild, note: Acknowledged): Promise<void> {
  const client = child.client(note.subject);
  const listed = await client.extensions.listMessages(String(note.threadId));
  const ids = listed.map((message) => message.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of note.messages) expect(ids).toContain(id);
  const mine = listed.filter(
    (message) => message.additional_properties?.['client_message_id'] === note.clientMessageId,
  );
  expect(mine).toHaveLength(1);
  expect(
    listed.filter((message) => message.run_id === note.runId && message.role === 'assistant').length,
  ).toBeLessThanOrEqual(1);
  const events = await collect(client.extensions.runEvents(String(note.runId)));
  expect(events.at(-1)?.event).toBe('done');
  const last = events.at(-2)?.event ?? '';
  if (note.ended) expect(last).toBe(note.ended);
  else expect(['run.expired', 'run.completed']).toContain(last);
  expect(note.text.startsWith(spelled(events))).toBe(true);
}

test(`kill -9 ${kills} times under load: nothing acknowledged is lost, nothing is there twice`, async () => {
  test.setTimeout(60_000 + kills * 15_000);
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-kill-'));
  let seed = 20_260_121;
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const all: Acknowledged[] = [];
  let child = await startChild({ DATA_DIR: directory });
  try {
    for (let round = 0; round < kills; round += 1) {
      let dead = false;
      const notes: Acknowledged[] = [];
      const talking = Array.from({ length: 6 }, (_, place) =>
        talk(child, `visitor-${round}-${place}`, notes, () => dead),
      );
      await until(() => notes.length > 0, 30_000);
      await new Promise((resolve) => setTimeout(resolve, random() * 900));
      await child.kill();
      dead = true;
      await Promise.all(talking);
      all.push(...notes);
      // the next process is the next to die
      child = await startChild({ DATA_DIR: directory });
      for (const note of notes) await verify(child, note);
      const [first] = notes;
      if (first) {
        const request = say(first.text, { agent_id: 'echo' });
        request.message.additional_properties = { client_message_id: first.clientMessageId };
        const resent = await collect(child.client(first.subject).runStream(request));
        expect(resent[0]?.data['run_id']).toBe(first.runId);
      }
    }
    await child.kill();
    child = await startChild({ DATA_DIR: directory });
    for (const note of all.filter((_, place) => place % 7 === 0)) await verify(child, note);
    expect(all.length).toBeGreaterThan(kills);
  } finally {
    await child.kill();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('the next process logs and counts each run that died with the former one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-orphan-'));
  const child = await startChild({ DATA_DIR: directory });
  let runId: unknown;
  const slow = say('one two three four five six', {
    agent_id: 'echo',
    additional_parameters: { delay_ms: 400 },
  });
  const reading = collect(
    (async function* () {
      for await (const event of child.client().runStream(slow)) {
        runId ??= event.data['run_id'];
        yield event;
      }
    })(),
  ).catch(() => undefined);
  await until(() => runId !== undefined, 10_000);
  await child.kill();
  await reading;
  const next = await startChild({ DATA_DIR: directory });
  try {
    const line = next.log.find((text) => text.includes('"msg":"run ended"')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      run_id: runId,
      agent_id: 'echo',
      status: 'expired',
      reason: 'owner_died',
    });
    const metrics = await (await fetch(`${next.address}/metrics`)).text();
    expect(metrics).toContain('agent_chat_orphaned_runs_total{agent="echo"} 1');
  } finally {
    await next.kill();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a second process on the same data directory is told so and ends', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-lock-'));
  const child = await startChild({ DATA_DIR: directory });
  try {
    await expect(startChild({ DATA_DIR: directory })).rejects.toThrow(
      /another process uses the data directory/,
    );
  } finally {
    await child.kill();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a graceful stop ends every stream with a terminal event and the process with 0', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-stop-'));
  const child = await startChild({ DATA_DIR: directory });
  try {
    const events: RunEvent[] = [];
    let stopped: Promise<number | null> | undefined;
    for await (const event of child
      .client()
      .runStream(
        say('a long story', { agent_id: 'echo', additional_parameters: { delay_ms: 300, chunk_length: 1 } }),
      )) {
      events.push(event);
      if (event.event === 'message.delta') stopped ??= child.kill('SIGTERM');
    }
    expect(events.slice(-2).map((event) => event.event)).toEqual(['run.failed', 'done']);
    expect(JSON.stringify(events.at(-2)?.data)).toContain('service stopping');
    expect(await stopped).toBe(0);
    expect(child.log.join('\n')).not.toContain('a long story');
    expect(child.log.join('\n')).not.toContain('Bearer');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('SIGTERM lets a run finish, is not ready at once, refuses new runs, and is in the log', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-drain-'));
  const child = await startChild({ DATA_DIR: directory, DRAIN_TIMEOUT: '30' });
  try {
    const names: string[] = [];
    let stopped: Promise<number | null> | undefined;
    const pace = { additional_parameters: { delay_ms: 250, chunk_length: 1 } };
    for await (const { event } of child
      .client()
      .runStream(say('twelve signs', { agent_id: 'echo', ...pace }))) {
      names.push(event);
      if (event !== 'message.delta' || stopped) continue;
      stopped = child.kill('SIGTERM');
      await until(async () => (await fetch(`${child.address}/readyz`)).status === 503);
      const refused = child.client('late').runStream(say('me too', { agent_id: 'echo' }));
      await expect(collect(refused)).rejects.toMatchObject({ status: 503 });
    }
    expect(names.slice(-2)).toEqual(['run.completed', 'done']);
    expect(await stopped).toBe(0);
    const lines = child.log
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const stops = { active_runs: 1, msg: 'the service stops: active runs have 30 s to end' };
    expect(lines).toContainEqual(expect.objectContaining(stops));
    expect(lines).toContainEqual(
      expect.objectContaining({ status: 503, reason: 'server: the service is stopping' }),
    );
    expect(lines.at(-1)).toMatchObject({ msg: 'the service has stopped' });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a signal that comes twice, as npm passes it on, stops as gracefully', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-stop-'));
  const child = await startChild({ DATA_DIR: directory });
  try {
    const names: string[] = [];
    let stopped: Promise<number | null> | undefined;
    for await (const { event } of child
      .client()
      .runStream(
        say('a long story', { agent_id: 'echo', additional_parameters: { delay_ms: 300, chunk_length: 1 } }),
      )) {
      names.push(event);
      if (event !== 'message.delta' || stopped) continue;
      stopped = child.kill('SIGTERM');
      await new Promise((resolve) => setImmediate(resolve));
      void child.kill('SIGTERM');
    }
    expect(names.slice(-2)).toEqual(['run.failed', 'done']);
    expect(await stopped).toBe(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a second signal a second later ends at once', () => {
  const source = new EventEmitter();
  const done: string[] = [];
  let now = 0;
  handleShutdownSignals(source, { stop: () => done.push('stop'), endNow: () => done.push('end') }, () => now);
  source.emit('SIGINT');
  now = 900;
  source.emit('SIGINT');
  source.emit('SIGTERM');
  expect(done).toEqual(['stop']);
  now = 1_100;
  source.emit('SIGINT');
  expect(done).toEqual(['stop', 'end']);
});
