import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import Sqlite from 'libsql';
import { HttpError } from '../../../src/client/index.ts';
import type { RunEvent, RunRequest } from '../../../src/protocol/index.ts';
import { collect, say, spelled, startService, until, type RunningService } from '../running-service.ts';
import { answer, askedIn, booking, openOffice, type BookingOffice } from './booking.ts';

let office: BookingOffice;
let running: RunningService;

test.beforeAll(async () => {
  office = await openOffice({ agents: [{ id: 'other', kind: 'echo' }] });
  running = await startService({ agentsFile: office.agentsFile });
});
test.afterAll(async () => {
  await running.close();
  await office.close();
});
test.beforeEach(() => {
  office.calls = [booking];
});

const ask = (text = 'Book it', more: Partial<RunRequest> = {}): Promise<RunEvent[]> =>
  collect(running.client().runStream(say(text, { agent_id: 'clerk', ...more })));
const send = (request: RunRequest, subject?: string): Promise<RunEvent[]> =>
  collect(running.client(subject).runStream(request));
const refusal = async (sent: Promise<unknown>): Promise<{ status: number; detail: unknown }> => {
  const error: unknown = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HttpError)) throw new Error(`not refused: ${String(error)}`);
  return { status: error.status, detail: (JSON.parse(error.body) as { detail: unknown }).detail };
};
/** How often the office executed calls since a count. */
const executedSince = (count: number) => office.executed().slice(count);
const stored = async (events: readonly RunEvent[]) => {
  const messages = await running.client().extensions.listMessages(String(events[0]?.data['thread_id']));
  return messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
};
const decisionOf = async (events: readonly RunEvent[], place = 0) => {
  const id = askedIn(events)[place]?.id;
  const item = (await stored(events)).find((one) => one.id === id && one.form_operation == null);
  return item?.['decision'] as { state: string } & Record<string, unknown>;
};

test('a call that needs approval asks for it, runs nothing, and ends the run', async () => {
  const count = office.executed().length;
  const events = await ask();
  expect(events.slice(-3).map(({ event }) => event)).toEqual(['message.interrupt', 'run.completed', 'done']);
  expect(askedIn(events)).toEqual([
    {
      response_type: 'forms',
      sub_type: 'tool_approval',
      id: expect.any(String),
      name: 'Book a berth',
      tool: {
        server: 'berths',
        name: 'book_berth',
        title: 'Book a berth',
        description: expect.stringContaining('binding'),
        read_only: false,
      },
      json_schema: expect.objectContaining({ type: 'object' }),
      form_data: booking[1],
      decision: { state: 'asked', expires_at: expect.any(String) },
    },
  ]);
  expect(executedSince(count)).toEqual([]);
});

test('approved: the call runs once, the model goes on, and the history shows it', async () => {
  const asked = await ask();
  const count = office.executed().length;
  const events = await send(answer(asked, 'submit', { form_data: booking[1] }));
  expect(spelled(events)).toBe('Done.');
  expect(executedSince(count)).toEqual([{ call: 'book_berth', args: booking[1] }]);
  expect(office.lastResults()).toEqual([expect.stringContaining('HB-1')]);
  expect(await decisionOf(asked)).toMatchObject({ state: 'done', decided_at: expect.any(String) });
  const steps = events.map(({ event }) => event).filter((event) => event.startsWith('run.step'));
  expect(steps).toEqual(['run.step.started', 'run.step.delta', 'run.step.delta', 'run.step.completed']);
});

test('an answer without form_data approves what was asked', async () => {
  const asked = await ask();
  const count = office.executed().length;
  await send(answer(asked, 'submit'));
  expect(executedSince(count)).toEqual([{ call: 'book_berth', args: booking[1] }]);
});

test('declined: the call never runs, and the model hears the reason', async () => {
  const asked = await ask();
  const count = office.executed().length;
  const events = await send(answer(asked, 'cancel', { reason: 'Too expensive' }));
  expect(spelled(events)).toBe('Done.');
  expect(executedSince(count)).toEqual([]);
  expect(office.lastResults()).toEqual([expect.stringContaining('Too expensive')]);
  expect(JSON.stringify(events)).toContain('"outcome":"declined"'); // its step has not failed
  expect(await decisionOf(asked)).toMatchObject({ state: 'declined', reason: 'Too expensive' });
});

test('edited: the changed arguments run, and the model hears of the change', async () => {
  const asked = await ask();
  const count = office.executed().length;
  const changed = { berth: 'A1', boat: 'Wal', nights: 3 };
  await send(answer(asked, 'submit', { form_data: changed }));
  expect(executedSince(count)).toEqual([{ call: 'book_berth', args: changed }]);
  expect(office.lastResults()[0]).toMatch(/changed the arguments to .*"nights":3/);
  expect(await decisionOf(asked)).toMatchObject({ state: 'done', form_data: changed });
});

for (const mask of [true, false])
  test(`guardrails apply to what the visitor writes with a decision, ${mask ? 'masked' : 'stopped'}`, async () => {
    const guardrails = { pii: { input: { enabled: true }, mask: { remove_entity_value: mask } } };
    office.upstream.requests.length = 0;
    const asked = await ask();
    const declined = await ask();
    const changed = { berth: 'A1', boat: 'ada@example.com', nights: 3 };
    await send({ ...answer(asked, 'submit', { form_data: changed }), guardrails });
    await send({ ...answer(declined, 'cancel', { reason: 'Ask ada@example.com' }), guardrails });
    if (mask) expect(office.executed().at(-1)).toEqual({ call: 'book_berth', args: changed });
    for (const events of [asked, declined])
      await ask('chat', { thread_id: String(events[0]?.data['thread_id']), guardrails });
    expect(office.lastResults()[0]).toContain(mask ? 'Ask [EMAIL]' : 'withheld by a guardrail');
    expect(JSON.stringify(office.upstream.requests.map(({ body }) => body))).not.toContain('ada@example.com');
  });

test('edited into nonsense: 422 with the field, and the decision stays open', async () => {
  const asked = await ask();
  const count = office.executed().length;
  const { status, detail } = await refusal(
    send(answer(asked, 'submit', { form_data: { berth: 'Z9', boat: 'Wal', nights: 2 } })),
  );
  expect(status).toBe(422);
  expect(JSON.stringify(detail)).toMatch(/berth/);
  expect((await decisionOf(asked)).state).toBe('asked');
  expect(executedSince(count)).toEqual([]);
  await send(answer(asked, 'submit'));
  expect(executedSince(count)).toHaveLength(1);
});

test('a message may answer at most a hundred questions', async () => {
  const asked = await ask();
  const one = answer(asked, 'submit');
  const content = Array<unknown>(101).fill({ form_operation: 'submit', id: 'elsewhere' });
  const { status } = await refusal(
    send({ ...one, message: { ...one.message, content } as typeof one.message }),
  );
  expect(status).toBe(422);
  expect((await decisionOf(asked)).state).toBe('asked');
});

test('the first decision is in force; a second one is 409 with it', async () => {
  const asked = await ask();
  await send(answer(asked, 'cancel', { reason: 'No' }));
  const count = office.executed().length;
  for (const late of [answer(asked, 'submit'), answer(asked, 'cancel')]) {
    const { status, detail } = await refusal(send(late));
    expect(status).toBe(409);
    expect(detail).toMatchObject([{ type: 'decided', decision: { state: 'declined', reason: 'No' } }]);
  }
  expect(executedSince(count)).toEqual([]);
});

test('of many approvals at once, one is taken and the call runs once', async () => {
  const asked = await ask();
  const count = office.executed().length;
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => send(answer(asked, 'submit'))));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(executedSince(count)).toHaveLength(1);
});

test('the same request sent twice is one decision and one run', async () => {
  const asked = await ask();
  const count = office.executed().length;
  const request = answer(asked, 'submit');
  request.message.additional_properties = { client_message_id: `double-${Date.now()}` };
  const [one, two] = await Promise.all([send(request), send(request)]);
  expect(one[0]?.data['run_id']).toBe(two[0]?.data['run_id']);
  expect(executedSince(count)).toHaveLength(1);
});

test('two calls are decided in any order, and the run of the last decision goes on', async () => {
  office.calls = [booking, ['cancel_booking', { booking: 'HB-9' }]];
  const asked = await ask();
  expect(askedIn(asked)).toHaveLength(2);
  const count = office.executed().length;
  const first = await send(answer(asked, 'cancel', {}, 1));
  expect(first.map(({ event }) => event)).toEqual(['run.started', 'run.completed', 'done']);
  expect((await decisionOf(asked)).state).toBe('asked');
  const second = await send(answer(asked, 'submit', {}, 0));
  expect(spelled(second)).toBe('Done.');
  expect(executedSince(count).map(({ call }) => call)).toEqual(['book_berth']);
  expect(office.lastResults()).toEqual([
    expect.stringContaining('HB-1'),
    expect.stringContaining('declined this call'),
  ]);
});

test('a call that needs no approval runs beside one that waits', async () => {
  office.calls = [['find_berth', { length: 9 }], booking];
  const count = office.executed().length;
  const asked = await ask();
  expect(askedIn(asked)).toHaveLength(1);
  expect(executedSince(count).map(({ call }) => call)).toEqual(['find_berth']);
});

test('a turn while a decision is open tells the model so; the decision stays', async () => {
  const asked = await ask();
  const events = await ask('chat', { thread_id: String(asked[0]?.data['thread_id']) });
  expect(spelled(events)).toBe('Done.');
  expect(office.lastResults()).toEqual([expect.stringContaining("Waiting for the visitor's decision")]);
  expect((await decisionOf(asked)).state).toBe('asked');
  const count = office.executed().length;
  await send(answer(asked, 'submit'));
  expect(executedSince(count)).toHaveLength(1);
});

test('nobody else can decide: another visitor, another thread and an unknown call are 404', async () => {
  const asked = await ask();
  const other = await ask('chat');
  const count = office.executed().length;
  expect((await refusal(send(answer(asked, 'submit'), 'eve'))).status).toBe(404);
  const elsewhere = { ...answer(asked, 'submit'), thread_id: String(other[0]?.data['thread_id']) };
  expect((await refusal(send(elsewhere))).status).toBe(404);
  expect((await refusal(send(answer(asked, 'submit', { id: 'no-such-call' })))).status).toBe(404);
  expect(executedSince(count)).toEqual([]);
  expect((await decisionOf(asked)).state).toBe('asked');
});

test('what was approved runs, although its turn has been edited since', async () => {
  const asked = await ask();
  const { thread_id, parent_message_id } = asked[0]?.data as { thread_id: string; parent_message_id: string };
  const edited = say('chat', { agent_id: 'clerk', thread_id });
  await send({ ...edited, message: { ...edited.message, parent_message_id } });
  const count = office.executed().length;
  expect(spelled(await send(answer(asked, 'submit')))).toBe('Done.');
  expect(executedSince(count)).toHaveLength(1);
  expect((await decisionOf(asked)).state).toBe('done');
});

test('another agent cannot take the decision', async () => {
  const asked = await ask();
  const { status } = await refusal(send({ ...answer(asked, 'submit'), agent_id: 'other' }));
  expect(status).toBe(422);
  expect((await decisionOf(asked)).state).toBe('asked');
});

test('an approved call never goes to another server that has a tool of the same name', async () => {
  const moved = await openOffice();
  const settings = { agentsFile: moved.agentsFile, dataDir: join(moved.directory, 'data') };
  const first = await startService(settings);
  let asked: RunEvent[];
  try {
    asked = await collect(first.client().runStream(say('Book it', { agent_id: 'clerk' })));
  } finally {
    await first.close();
  }
  const file = readFileSync(moved.agentsFile, 'utf8').replace('"name":"berths"', '"name":"rivals"');
  writeFileSync(moved.agentsFile, file);
  const second = await startService(settings);
  try {
    await collect(second.client().runStream(answer(asked, 'submit')));
    expect(moved.lastResults()).toEqual([expect.stringContaining('This tool is gone')]);
    expect(moved.executed()).toEqual([]);
  } finally {
    await second.close();
    await moved.close();
  }
});

test('a decision that nobody took in time counts as declined', async () => {
  const hasty = await openOffice({ tools: { expires: '500ms' } });
  const short = await startService({ agentsFile: hasty.agentsFile });
  const sent = (request: RunRequest) => collect(short.client().runStream(request));
  try {
    const asked = await sent(say('Book it', { agent_id: 'clerk' }));
    await until(() => Date.parse(askedIn(asked)[0]?.decision?.expires_at ?? '') < Date.now());
    const { status, detail } = await refusal(sent(answer(asked, 'submit')));
    expect(status).toBe(409);
    expect(detail).toMatchObject([{ decision: { state: 'expired', reason: 'expired' } }]);
    const threadId = String(asked[0]?.data['thread_id']);
    await sent(say('chat', { agent_id: 'clerk', thread_id: threadId }));
    expect(hasty.lastResults()).toEqual([expect.stringContaining('did not decide in time')]);
    expect(hasty.executed()).toEqual([]);
  } finally {
    await short.close();
    await hasty.close();
  }
});

test('an approved call that never runs, because the other decision came too late, says so', async () => {
  const hasty = await openOffice({ tools: { expires: '1s' } });
  hasty.calls = [booking, booking];
  const short = await startService({ agentsFile: hasty.agentsFile });
  const sent = (request: RunRequest) => collect(short.client().runStream(request));
  try {
    const asked = await sent(say('Book both', { agent_id: 'clerk' }));
    const threadId = String(asked[0]?.data['thread_id']);
    const states = async (): Promise<unknown[]> => {
      const messages = await short.client().extensions.listMessages(threadId);
      const items = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
      return items.flatMap(({ decision }) => (decision ? [(decision as { state: string }).state] : []));
    };
    await sent(answer(asked, 'submit'));
    expect(await states()).toEqual(['approved', 'asked']);
    await until(() => Date.parse(askedIn(asked)[0]?.decision?.expires_at ?? '') < Date.now());
    expect(await states()).toEqual(['expired', 'expired']);
    expect(hasty.executed()).toEqual([]);
  } finally {
    await short.close();
    await hasty.close();
  }
});

test('a run whose past cannot be read fails, and a repeated message finds its end', async () => {
  const asked = await ask();
  const request = say('chat', { agent_id: 'clerk', thread_id: String(asked[0]?.data['thread_id']) });
  request.message.additional_properties = { client_message_id: randomUUID() };
  const database = new Sqlite(join(running.dataDir, 'agent-chat.db'));
  try {
    database.exec('alter table tool_calls rename to elsewhere');
    const failed = (await send(request)).at(-2);
    expect(failed).toMatchObject({ event: 'run.failed', data: { error: { code: 'history_unavailable' } } });
  } finally {
    database.exec('alter table elsewhere rename to tool_calls');
    database.close();
  }
  expect((await send(request)).slice(-2).map(({ event }) => event)).toEqual(['run.failed', 'done']);
});
