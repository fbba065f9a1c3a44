import { expect, test } from '@playwright/test';
import { scriptedScenarios } from '../../demo/agents/scripted/scenarios.ts';
import { ChatSession } from '../../src/session/index.ts';
import type { Conversation, SessionSettings } from '../../src/session/index.ts';
import { startService, type RunningService } from '../service/running-service.ts';

let running: RunningService;

test.beforeAll(async () => {
  running = await startService();
});
test.afterAll(async () => {
  await running.close();
});

function visitor(settings: SessionSettings, threadId?: string): ChatSession {
  const session = new ChatSession({ client: running.client(), settings: () => settings });
  if (threadId !== undefined) session.setThread(threadId);
  return session;
}

const demo: SessionSettings = { agentId: 'demo', additionalParameters: { delay_ms: 0 } };
const echo: SessionSettings = { agentId: 'echo', additionalParameters: { delay_ms: 0 } };

function words({ messages }: Conversation): string[] {
  return messages
    .filter(({ hidden, superseded }) => !hidden && !superseded)
    .map(
      ({ role, items }) =>
        `${role}: ${items.map(({ text, type }) => (type === 'text' ? text : type)).join('|')}`,
    );
}

for (const { command } of scriptedScenarios.filter(({ command }) => !/^\/(stall|slow|drop)$/.test(command))) {
  test(`the service's "${command}" has an end that the session understands`, async () => {
    const session = visitor(demo);
    await session.send(command);
    const run = session.conversation.runs.at(-1)!;
    expect(['completed', 'waiting', 'failed', 'expired', 'cancelled']).toContain(run.status);
    expect(session.busy).toBe(false);
    expect(run.runId).toBeDefined();
    expect(session.conversation.messages[0]).toMatchObject({ status: 'sent' });
    expect(session.conversation.messages[0]?.messageId).toBeDefined();
    expect(session.conversation.messages.filter(({ status }) => status === 'streaming')).toEqual([]);
    session.dispose();
  });
}

test('the stored thread equals the live conversation', async () => {
  const live = visitor(echo);
  await live.send('one');
  await live.send('two');
  await live.regenerate(live.conversation.messages.at(-1)!.id);
  await live.edit(
    live.conversation.messages.find(({ superseded, items }) => !superseded && items[0]?.text === 'two')!.id,
    'three',
  );
  const later = visitor(echo, live.conversation.threadId);
  expect(await later.loadHistory()).toBe(true);
  expect(words(later.conversation)).toEqual(words(live.conversation));
  expect(words(live.conversation)).toEqual([
    'user: one',
    'assistant: one',
    'user: three',
    'assistant: three',
  ]);
  expect(later.conversation.runs.every(({ status }) => status === 'completed')).toBe(true);
});

test('two turns that run at the same time are both in a thread with an edit, and the edited turn is not', async () => {
  const slow: SessionSettings = { agentId: 'demo', additionalParameters: { delay_ms: 10 } };
  const one = visitor(slow);
  await one.send('first');
  await one.send('second try');
  await one.edit(one.conversation.messages.at(-2)!.id, 'third try');
  const other = visitor(slow, one.conversation.threadId);
  await other.loadHistory();
  expect(words(other.conversation)).toEqual(words(one.conversation));
  await Promise.all([one.send('from one tab'), other.send('from another tab')]);
  await one.send('/history');
  const later = visitor(slow, one.conversation.threadId);
  await later.loadHistory();
  const said = words(later.conversation).filter((line) => line.startsWith('user: '));
  const before = ['user: first', 'user: third try'];
  const both = ['user: from another tab', 'user: from one tab'];
  expect([...said.slice(0, 2), ...said.slice(2, 4).sort()]).toEqual([...before, ...both]);
  // the agent got the same
  const answers = words(later.conversation).filter((line) => line.startsWith('assistant: '));
  expect(answers).toHaveLength(5);
  for (const text of ['first', 'third try', 'from one tab', 'from another tab'])
    expect(answers.at(-1)).toContain(text);
  expect(answers.at(-1)).not.toContain('second try');
});

test('an edited first turn is not in the thread that the service reads', async () => {
  const live = visitor(echo);
  await live.send('first try');
  await live.edit(live.conversation.messages[0]!.id, 'second try');
  const later = visitor(echo, live.conversation.threadId);
  await later.loadHistory();
  expect(words(later.conversation)).toEqual(['user: second try', 'assistant: second try']);
});

test('Retry runs a failed turn again and replaces it', async () => {
  const session = visitor(demo);
  await session.send('/fail');
  const { runId, status } = session.conversation.runs[0]!;
  expect(status).toBe('failed');
  await session.retry();
  const again = session.conversation.runs[0]!;
  expect(again.runId).not.toBe(runId);
  expect(again.status).toBe('failed');
  expect(session.conversation.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
});

test('Stop ends the run at the service too', async () => {
  const session = visitor({ agentId: 'echo', additionalParameters: { delay_ms: 50, chunk_length: 1 } });
  const turn = session.send('a long enough sentence to be stopped in the middle of it');
  await new Promise<void>((resolve) => {
    const done = session.subscribe(() => {
      if ((session.conversation.messages[1]?.items[0]?.text.length ?? 0) < 3) return;
      done();
      resolve();
    });
  });
  await session.stop();
  await turn;
  const [run] = session.conversation.runs;
  expect(run).toMatchObject({ status: 'cancelled', stopUnconfirmed: false });
  const told: string[] = [];
  for await (const event of running.client().extensions.runEvents(run!.runId!)) told.push(event.event);
  expect(told).toContain('run.cancelled');
  expect(told.at(-1)).toBe('done');
});

test('another session resumes a run without loss or repetition', async () => {
  const text = 'every word of this sentence arrives exactly once';
  const settings = { agentId: 'echo', additionalParameters: { delay_ms: 10, chunk_length: 3 } };
  const first = visitor(settings);
  void first.send(text);
  await new Promise<void>((resolve) => {
    const done = first.subscribe(() => {
      if ((first.conversation.messages[1]?.items[0]?.text.length ?? 0) < 9) return;
      done();
      resolve();
    });
  });
  first.suspend();
  const second = new ChatSession({
    client: running.client(),
    settings: () => settings,
    initial: first.conversation,
  });
  await second.resume();
  expect(words(second.conversation)).toEqual([`user: ${text}`, `assistant: ${text}`]);
  expect(second.conversation.runs).toHaveLength(1);
  expect(second.conversation.runs[0]?.status).toBe('completed');
});

test('a dropped connection is resumed without loss', async () => {
  const session = visitor({ agentId: 'demo', additionalParameters: { delay_ms: 15 } });
  const seen = new Set<string>();
  session.subscribe(() => seen.add(session.connection));
  await session.send('/drop');
  expect([...seen]).toContain('resuming');
  expect(session.conversation.runs[0]?.status).toBe('completed');
  expect(words(session.conversation)[1]).toBe(
    'assistant: The line will break about here, and when you come back **nothing is missing** and nothing is said twice.',
  );
});

test('a connection that breaks before the first event is retried as the same turn', async () => {
  const session = visitor(demo);
  await session.send('/drop');
  if (session.conversation.runs[0]?.status === 'failed') await session.retry();
  expect(session.conversation.runs[0]?.status).toBe('completed');
  expect(session.conversation.messages).toHaveLength(2);
});
