import { expect, test } from '@playwright/test';
import { HttpError } from '../../../src/client/index.ts';
import type { ContentItem, RunEvent, RunRequest, ToolDecision } from '../../../src/protocol/index.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';
import { openOffice, type BookingOffice } from './booking.ts';

let office: BookingOffice;
let running: RunningService;

test.beforeAll(async () => {
  office = await openOffice();
  office.calls = [['order_pilot', {}]];
  running = await startService({ agentsFile: office.agentsFile });
});
test.afterAll(async () => {
  await running.close();
  await office.close();
});

interface Talk {
  readonly events: RunEvent[];
  /** Resolves with the form that the run asks with. */
  readonly form: Promise<ContentItem>;
  readonly ended: Promise<RunEvent[]>;
}

/** Starts a run and reads on while it waits for an answer. */
function talk(subject = 'ada'): Talk {
  const events: RunEvent[] = [];
  let asked = (_form: ContentItem): void => undefined;
  const form = new Promise<ContentItem>((resolve) => (asked = resolve));
  const read = async (): Promise<RunEvent[]> => {
    for await (const event of running.client(subject).runStream(say('Go', { agent_id: 'clerk' }))) {
      events.push(event);
      if (event.event !== 'flow.slot.listen') continue;
      const { content } = event.data['message'] as { content: ContentItem[] };
      for (const item of content) if (item.json_schema) asked(item);
    }
    return events;
  };
  return { events, form, ended: read() };
}

function reply(
  { events }: Talk,
  form: ContentItem,
  operation: 'submit' | 'cancel',
  data: Record<string, unknown> = {},
): RunRequest {
  const item = {
    response_type: 'form_operation',
    id: form.id,
    form_operation: operation,
    form_data: data,
  };
  const request = say('', { agent_id: 'clerk', thread_id: String(events[0]?.data['thread_id']) });
  return { ...request, message: { role: 'user', content: [item] } };
}
const send = (request: RunRequest, subject?: string) => collect(running.client(subject).runStream(request));
/** The stored messages of the thread. */
async function stored({ events }: Talk): Promise<{ content: ContentItem[] }[]> {
  const path = `/api/v1/hub/threads/${String(events[0]?.data['thread_id'])}/messages`;
  const { messages } = (await (await running.request('GET', path)).json()) as {
    messages: { content: ContentItem[] }[];
  };
  return messages;
}
const decisions = async (run: Talk): Promise<ToolDecision[]> =>
  (await stored(run)).flatMap(({ content }) =>
    content.flatMap((item) => (item.json_schema ? [item['decision'] as ToolDecision] : [])),
  );
const texts = async (run: Talk): Promise<unknown[]> =>
  (await stored(run)).flatMap(({ content }) =>
    content.flatMap((item) => (typeof item['text'] === 'string' ? [item['text'].trim()] : [])),
  );
const statusOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 200,
    (error: unknown) => (error instanceof HttpError ? error.status : 0),
  );

test('a server asks during a call: a form in the chat, and the run goes on with the answer', async () => {
  const run = talk();
  const form = await run.form;
  expect(form).toMatchObject({
    response_type: 'forms',
    name: 'Order a pilot',
    json_schema: { description: 'berths' },
    ui_schema: { 'ui:cancelButtonOptions': { showCancel: true } },
  });
  expect(JSON.stringify(form.json_schema)).toContain('Radio channel');
  const answered = await send(reply(run, form, 'submit', { time: '14:30', channel: '14' }));
  expect(answered.map(({ event }) => event)).toEqual(['run.started', 'run.completed', 'done']);
  expect(spelled(await run.ended)).toBe('Done.');
  expect(office.lastResults()).toEqual([expect.stringContaining('at 14:30. Listen on channel 14')]);
});

test('a cancelled form declines the question', async () => {
  const run = talk();
  await send(reply(run, await run.form, 'cancel'));
  await run.ended;
  expect(office.lastResults()).toEqual([expect.stringContaining('No pilot was ordered')]);
});

test('an answer that breaks the schema is 422, a second one 409, another visitor 404', async () => {
  const run = talk();
  const form = await run.form;
  const good = { time: '14:30', channel: '16' };
  expect(await statusOf(send(reply(run, form, 'submit', { time: '14:30', channel: '99' })))).toBe(422);
  expect(await statusOf(send(reply(run, form, 'submit', good), 'eve'))).toBe(404);
  expect(await statusOf(send(reply(run, form, 'submit', good)))).toBe(200);
  expect(await statusOf(send(reply(run, form, 'submit', good)))).toBe(409);
  await run.ended;
});

test('a question whose run was stopped cannot be answered any more', async () => {
  const run = talk();
  const form = await run.form;
  await running.request('POST', `/api/v1/hub/runs/${String(run.events[0]?.data['run_id'])}/cancel`);
  await run.ended;
  expect(await statusOf(send(reply(run, form, 'submit', { time: '14:30', channel: '12' })))).toBe(409);
});

test('the history says that a question has ended with its run', async () => {
  const run = talk();
  await run.form;
  expect(await decisions(run)).toEqual([expect.objectContaining({ state: 'asked' })]);
  await running.request('POST', `/api/v1/hub/runs/${String(run.events[0]?.data['run_id'])}/cancel`);
  await run.ended;
  expect(await decisions(run)).toEqual([expect.objectContaining({ state: 'expired' })]);
});

test('questions of two visitors at once reach each their own', async () => {
  const runs = [talk('ada'), talk('eve')] as const;
  const forms = await Promise.all(runs.map(({ form }) => form));
  await send(reply(runs[0], forms[0] ?? {}, 'submit', { time: '10:00', channel: '12' }), 'ada');
  await runs[0].ended;
  expect(office.lastResults()).toEqual([expect.stringContaining('at 10:00')]);
  await send(reply(runs[1], forms[1] ?? {}, 'submit', { time: '11:00', channel: '14' }), 'eve');
  await runs[1].ended;
  expect(office.lastResults()).toEqual([expect.stringContaining('at 11:00')]);
});

test.describe('a server that gives up', () => {
  test.beforeAll(async () => {
    await running.close();
    await office.close();
    office = await openOffice({ patienceMs: 2_000 });
    office.calls = [['order_pilot', {}]];
    running = await startService({ agentsFile: office.agentsFile });
  });

  test('its question ends: the message comes again with a closed form, and the run goes on', async () => {
    const { upstream } = office;
    const { answer } = upstream;
    upstream.answer = (request, send) => {
      if (upstream.requests.length === 1) send.part({ content: 'I ask the office.' });
      return answer(request, send);
    };
    const run = talk();
    const form = await run.form;
    const later = new Date(String((form['decision'] as ToolDecision).expires_at)).getTime();
    expect(later).toBeGreaterThan(Date.now() + 80_000_000);
    const ended = await run.ended;
    upstream.answer = answer;
    const asked = ended.findIndex(({ event }) => event === 'flow.slot.listen');
    const closed = ended.findIndex(
      ({ data }, at) => at > asked && data['message_id'] === ended[asked]?.data['message_id'],
    );
    expect(ended[closed]?.event).toBe('message.created');
    const item = (event?: RunEvent) => (event?.data['message'] as { content: ContentItem[] }).content[1];
    expect(item(ended[closed])).toEqual({
      ...item(ended[asked]),
      decision: { ...(form['decision'] as ToolDecision), state: 'expired' },
    });
    expect(spelled(ended.slice(closed)).trim()).toBe('Done.');
    expect(office.lastResults()).toEqual([expect.stringContaining('the office waited too long')]);
    const late = await send(reply(run, form, 'submit', { time: '14:30', channel: '12' })).catch(
      (error: unknown) => error,
    );
    expect(late).toMatchObject({ status: 409, body: expect.stringMatching(/"state":"expired"/) });
    expect(await decisions(run)).toEqual([expect.objectContaining({ state: 'expired' })]);
    expect(await texts(run)).toEqual([
      'Go',
      'I ask the office.',
      expect.stringMatching(/^When shall/),
      'Done.',
    ]);
  });

  test('of two questions, the one that is left stays open', async () => {
    office.calls = [
      ['order_pilot', {}],
      ['order_pilot', {}],
    ];
    const run = talk();
    const form = await run.form;
    await expect.poll(() => run.events.filter(({ event }) => event === 'flow.slot.listen').length).toBe(2);
    await send(reply(run, form, 'submit', { time: '14:30', channel: '12' }));
    const ended = await run.ended;
    const asked = ended
      .filter(({ event }) => event === 'flow.slot.listen')
      .map(({ data }) => data['message_id']);
    expect(asked).toEqual([asked[0], asked[1], asked[1]]);
    expect(asked[0]).not.toBe(asked[1]);
    expect((await decisions(run)).map(({ state }) => state).sort()).toEqual(['approved', 'expired']);
  });
});
