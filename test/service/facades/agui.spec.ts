import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAgent, type BaseEvent, type RunFinishedEvent, type ToolCallStartEvent } from '@ag-ui/client';
import { expect, test } from '@playwright/test';
import { scriptedScenarios } from '../../../demo/agents/scripted/scenarios.ts';
import { booking as bookingCall, openOffice, type BookingOffice } from '../decisions/booking.ts';
import { collect, say, startService, until, type RunningService } from '../running-service.ts';

let running: RunningService;
let office: BookingOffice;
let booking: RunningService;

test.beforeAll(async () => {
  running = await startService({ facades: ['agui'] });
  office = await openOffice({ tools: { show_tool_details: false } });
  booking = await startService({ facades: ['agui'], agentsFile: office.agentsFile });
});
test.afterAll(async () => {
  await running.close();
  await booking.close();
  await office.close();
});

/** An AG-UI client, with the headers of its last response. */
class Client extends HttpAgent {
  response = new Headers();

  constructor(service: RunningService, agentId: string, token: string, threadId: string) {
    super({
      url: `${service.address}/api/v1/agui/${agentId}`,
      headers: { Authorization: `Bearer ${token}` },
      threadId,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        this.response = response.headers;
        return response;
      },
    });
  }
}

async function agentOf(
  agentId: string,
  { service = running, threadId = crypto.randomUUID() as string } = {},
): Promise<Client> {
  return new Client(service, agentId, await service.token(), threadId);
}

/** Runs an agent with a message of the visitor. The client checks every event. */
async function run(agent: HttpAgent, text: string, more: object = {}): Promise<BaseEvent[]> {
  const events: BaseEvent[] = [];
  if (text !== '') agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text });
  const forwardedProps = { delay_ms: 0 };
  await agent.runAgent({ forwardedProps, ...more }, { onEvent: ({ event }) => void events.push(event) });
  return events;
}

const outcomeOf = (events: readonly BaseEvent[]): RunFinishedEvent['outcome'] =>
  (events.at(-1) as RunFinishedEvent).outcome;
const typesOf = (events: readonly BaseEvent[]): string[] => events.map(({ type }) => type);

for (const { command } of scriptedScenarios) {
  if (command === '/stall' || command === '/drop') continue; // silence, and broken connections
  test(`${command} breaks no rule of AG-UI`, async () => {
    const agent = await agentOf('demo');
    const events = await run(agent, command);
    expect(events[0]?.type).toBe('RUN_STARTED');
    expect(['RUN_FINISHED', 'RUN_ERROR']).toContain(events.at(-1)?.type);
  });
}

test('words, and what a client holds afterwards', async () => {
  const agent = await agentOf('echo');
  await run(agent, 'High water at six.');
  await run(agent, 'And low water?');
  expect(agent.messages.map(({ role, content }) => ({ role, content }))).toEqual([
    { role: 'user', content: 'High water at six.' },
    { role: 'assistant', content: 'High water at six.' },
    { role: 'user', content: 'And low water?' },
    { role: 'assistant', content: 'And low water?' },
  ]);
});

test('a decision is an interrupt, and its answer carries the call out once', async () => {
  const agent = await agentOf('clerk', { service: booking });
  const question = await run(agent, 'Book A1.');
  const asked = outcomeOf(question);
  if (asked?.type !== 'interrupt') throw new Error('no interrupt');
  const [interrupt] = asked.interrupts;
  const args = question.find(({ type }) => type === 'TOOL_CALL_ARGS');
  expect(args, 'the visitor must see what is to be allowed').toMatchObject({
    toolCallId: interrupt?.toolCallId,
    delta: expect.stringContaining('"A1"') as unknown,
  });
  expect(interrupt).toMatchObject({ reason: 'tool_call', responseSchema: { required: ['approved'] } });
  expect(JSON.stringify(agent.messages)).toContain(interrupt?.toolCallId);
  expect(office.executed()).toHaveLength(0);

  const resume = [{ interruptId: String(interrupt?.id), status: 'resolved', payload: { approved: true } }];
  const events = await run(agent, '', { resume });
  expect(typesOf(events)).not.toContain('TOOL_CALL_START');
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'TOOL_CALL_RESULT', toolCallId: interrupt?.toolCallId }),
  );
  expect(outcomeOf(events)).toEqual({ type: 'success' });
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Done.' });
  expect(office.executed()).toHaveLength(1);
});

test('a declined decision carries nothing out, and a second decision is refused', async () => {
  const agent = await agentOf('clerk', { service: booking });
  const before = office.executed().length;
  const asked = outcomeOf(await run(agent, 'Book A1.'));
  if (asked?.type !== 'interrupt') throw new Error('no interrupt');
  const interruptId = String(asked.interrupts[0]?.id);
  const decline = { interruptId, status: 'resolved', payload: { approved: false, reason: 'Too dear' } };
  expect(outcomeOf(await run(agent, '', { resume: [decline] }))).toEqual({ type: 'success' });
  expect(office.executed()).toHaveLength(before);
  expect(office.lastResults().join()).toContain('Too dear');
  const approve = { interruptId, status: 'resolved', payload: { approved: true } };
  await expect(run(agent, '', { resume: [approve] })).rejects.toThrow('409');
});

test('a tool of the front end is called, and its result goes to the agent', async () => {
  office.calls = [['page__show_berth', { berth: 'C 14' }]];
  const agent = await agentOf('clerk', { service: booking });
  const tools = [{ name: 'show_berth', description: 'Shows a berth.', parameters: { type: 'object' } }];
  const asked = await run(agent, 'Where is it?', { tools });
  office.calls = [bookingCall];
  const call = asked.find(({ type }) => type === 'TOOL_CALL_START') as ToolCallStartEvent | undefined;
  expect(call).toMatchObject({ toolCallName: 'show_berth' });
  expect(outcomeOf(asked)).toEqual({ type: 'success' });
  const toolCallId = call?.toolCallId ?? '';
  agent.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId, content: 'It is lit up.' });
  const events = await run(agent, '', { tools });
  expect(outcomeOf(events)).toEqual({ type: 'success' });
  expect(office.lastResults().join()).toContain('It is lit up.');
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Done.' });
});

test('results of the service’s own tools are no news when the client sends them back', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-agui-'));
  const talker = `export default (run) => run.tools.loop(async function* ({ calls }) {
    yield calls.length > 0 ? 'Not free.' : 'Let me look.';
    return calls.length > 0 ? [] : [{ name: 'find', args: {} }];
  });`;
  writeFileSync(join(directory, 'talker.mjs'), talker);
  const entry = { id: 'talker', kind: 'module', module: './talker.mjs', tools: { show_tool_details: true } };
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents: [entry] }));
  const service = await startService({ facades: ['agui'], agentsFile: join(directory, 'agents.json') });
  const agent = await agentOf('talker', { service });
  // the text began before the call, so that the result is the client's last message
  const tools = [{ name: 'show_berth', description: 'Shows a berth.', parameters: { type: 'object' } }];
  expect(typesOf(await run(agent, 'Is A4 free?', { tools }))).toContain('TOOL_CALL_RESULT');
  expect(agent.messages.at(-1)).toMatchObject({ role: 'tool' });
  expect(outcomeOf(await run(agent, 'And B2?', { tools }))).toEqual({ type: 'success' });
  await service.close();
  rmSync(directory, { recursive: true });
});

/** Starts a service with an agent of a module, and reads what its client's messages became. */
async function serveModule(source: string): Promise<{
  readonly service: RunningService;
  readonly agent: Client;
  readonly sent: () => Promise<unknown[]>;
  readonly close: () => Promise<void>;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-agui-'));
  writeFileSync(join(directory, 'asker.mjs'), `export default ${source}`);
  const entry = { id: 'asker', kind: 'module', module: './asker.mjs' };
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents: [entry] }));
  const service = await startService({ facades: ['agui'], agentsFile: join(directory, 'agents.json') });
  const agent = await agentOf('asker', { service });
  return {
    service,
    agent,
    sent: async () => {
      const threadId = agent.response.get('x-thread-id') ?? '';
      const messages = await service.client().extensions.listMessages(threadId);
      return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    },
    close: async () => {
      await service.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const text = (words: string): object => ({ response_type: 'text', text: words });

test('a form with a field "approved" is no decision, and its answer repeats no message', async () => {
  const { agent, sent, close } = await serveModule(`async function* ({ message }) {
    if (message.content.some((item) => item.form_operation)) return yield 'Thanks.';
    const json_schema = { type: 'object', properties: { approved: { type: 'boolean' } } };
    const content = [{ response_type: 'forms', id: 'survey', json_schema }];
    yield { event: 'message.interrupt', data: { message: { role: 'assistant', content } } };
  }`);
  for (const payload of [{ approved: true }, { approved: false }]) {
    const asked = outcomeOf(await run(agent, 'A survey, please.'));
    if (asked?.type !== 'interrupt') throw new Error('no interrupt');
    const resume = [{ interruptId: String(asked.interrupts[0]?.id), status: 'resolved', payload }];
    expect(outcomeOf(await run(agent, '', { resume }))).toEqual({ type: 'success' });
    const answer = { response_type: 'form_operation', id: 'survey', form_operation: 'submit' };
    expect((await sent()).at(-1)).toEqual([{ ...answer, form_data: payload }]);
  }
  await close();
});

test('a decision that an agent asks for by itself shows its call, and its answer reaches the agent', async () => {
  const { agent, sent, close } = await serveModule(`async function* ({ message }) {
    if (message.content.some((item) => item.form_operation)) return yield 'Noted.';
    const tool = { server: 'Harbour office', name: 'book' };
    const asked = { response_type: 'forms', sub_type: 'tool_approval', id: 'book-1', name: 'Book a berth', tool };
    const json_schema = { type: 'object', properties: { berth: { type: 'string' } } };
    const item = { ...asked, json_schema, form_data: { berth: 'A4' }, expires_at: '2100-01-31T09:41:00Z' };
    yield { event: 'message.interrupt', data: { message: { role: 'assistant', content: [item] } } };
  }`);
  const events = await run(agent, 'Book A4.');
  const asked = outcomeOf(events);
  if (asked?.type !== 'interrupt') throw new Error('no interrupt');
  const [interrupt] = asked.interrupts;
  expect(interrupt).toMatchObject({ toolCallId: 'book-1', expiresAt: '2100-01-31T09:41:00Z' });
  expect(events).toContainEqual(expect.objectContaining({ toolCallId: 'book-1', toolCallName: 'book' }));
  expect(events).toContainEqual(expect.objectContaining({ toolCallId: 'book-1', delta: '{"berth":"A4"}' }));
  const payload = { approved: false, reason: 'Too dear' };
  const resume = [{ interruptId: String(interrupt?.id), status: 'resolved', payload }];
  expect(outcomeOf(await run(agent, '', { resume }))).toEqual({ type: 'success' });
  const declined = { sub_type: 'tool_approval', id: 'book-1', form_operation: 'cancel', reason: 'Too dear' };
  expect((await sent()).at(-1)).toEqual([{ response_type: 'form_operation', ...declined }]);
  await close();
});

test('several decisions of the demo agent are answered at once, with the arguments it asked for', async () => {
  const agent = await agentOf('demo');
  const asked = outcomeOf(await run(agent, '/approve two'));
  if (asked?.type !== 'interrupt') throw new Error('no interrupt');
  expect(asked.interrupts).toHaveLength(2);
  const payload = { approved: true };
  const resume = asked.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload }));
  expect(outcomeOf(await run(agent, '', { resume }))).toEqual({ type: 'success' });
  const answer = agent.messages.at(-1)?.content;
  expect(answer).toContain('Booked: berth **C 14**');
  expect(answer).toContain('Booking **GQ-1987** is cancelled.');
});

test('an answer with sources is text, and an activity that has the sources', async () => {
  const agent = await agentOf('demo');
  await run(agent, '/citations');
  const [, words, sources] = agent.messages;
  expect(words).toMatchObject({
    role: 'assistant',
    content: expect.stringContaining('Visitors lie on') as unknown,
  });
  expect(sources).toMatchObject({ role: 'activity', activityType: 'conversational_search' });
  expect(agent.messages).toHaveLength(3);
});

test('items without ids are sent once', async () => {
  const { agent, close } = await serveModule(`async function* () {
    const text = (text) => ({ response_type: 'text', text });
    const image = { response_type: 'image', source: 'https://example.com/quay.png', title: 'The quay' };
    const form = { response_type: 'forms', json_schema: { type: 'object' } };
    const parts = [text('Look '), text('here:'), image, text('And '), text('there:'), image, form, form];
    for (const part of parts) yield { event: 'message.delta', data: { delta: { content: [part] } } };
    const content = [text('Look here:'), image, text('And there:'), image, form, form];
    yield { event: 'message.created', data: { message: { role: 'assistant', content } } };
  }`);
  const events = await run(agent, 'Where?');
  const held = agent.messages.slice(1).map(({ role, content }) => (role === 'activity' ? 'image' : content));
  expect(held).toEqual(['Look here:', 'image', 'And there:', 'image']);
  const reason = 'input_required';
  expect(outcomeOf(events)).toMatchObject({ type: 'interrupt', interrupts: [{ reason }, { reason }] });
  await close();
});

test('a message is not sent again after an answer without text, or none', async () => {
  const { agent, sent, close } = await serveModule(`async function* ({ message }) {
    if (message.content.some(({ text }) => text === 'Fail.')) throw new Error('no');
    const content = [{ response_type: 'image', source: 'https://example.com/quay.png', title: 'The quay' }];
    yield { event: 'message.created', data: { message: { role: 'assistant', content } } };
  }`);
  await run(agent, 'A picture.');
  await run(agent, 'Another.');
  await run(agent, 'Fail.').catch(() => undefined);
  await run(agent, '').catch(() => undefined); // the same once more
  await run(agent, 'And now?');
  expect(await sent()).toEqual(
    ['A picture.', 'Another.', 'Fail.', 'Fail.', 'And now?'].map((words) => [text(words)]),
  );
  await close();
});

test('a message that the service refused is sent with the next one', async () => {
  const { agent, sent, close } = await serveModule(`async function* () { yield ''; }`);
  await run(agent, 'One.');
  const { headers } = agent;
  agent.headers = {};
  await run(agent, 'Two.').catch(() => undefined);
  agent.headers = headers;
  await run(agent, 'Three.');
  expect(await sent()).toEqual([[text('One.')], [text('Two.'), text('Three.')]]);
  await close();
});

test('a run that was begun here can be read, and stopped, in the interface itself', async () => {
  const agent = await agentOf('demo');
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: '/stall' });
  const stopped: BaseEvent[] = [];
  const client = running.client();
  await agent.runAgent(
    { forwardedProps: { delay_ms: 1 } },
    {
      onEvent: async ({ event }) => {
        stopped.push(event);
        if (event.type === 'TEXT_MESSAGE_CONTENT' && stopped.length === 3)
          await client.extensions.cancelRun(agent.response.get('x-run-id') ?? '');
      },
    },
  );
  expect(outcomeOf(stopped)).toEqual({ type: 'cancelled' });
  const events = await collect(client.extensions.runEvents(agent.response.get('x-run-id') ?? ''));
  expect(events.at(-2)?.event).toBe('run.cancelled');

  const threadId = agent.response.get('x-thread-id') ?? '';
  const there = await collect(client.runStream(say('/history', { agent_id: 'demo', thread_id: threadId })));
  expect(JSON.stringify(there)).toContain('/stall');
  const again = await agentOf('demo', { threadId });
  await run(again, '/history');
  expect(JSON.stringify(again.messages)).toContain('/stall');
});

test('an aborted client stops its run', async () => {
  const agent = await agentOf('demo');
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: '/stall 600' });
  const params = { forwardedProps: { delay_ms: 28 } };
  await agent
    .runAgent(params, {
      onEvent: ({ event }) => void (event.type === 'TEXT_MESSAGE_CONTENT' && agent.abortRun()),
    })
    .catch(() => undefined);
  // reading the run would keep it alive
  const path = `/api/v1/hub/threads/${agent.response.get('x-thread-id')}/messages`;
  await until(
    async () => (await (await running.request('GET', path)).text()).includes('"run_status":"cancelled"'),
    30_000,
  );
});

test('the same run again is read from its start', async () => {
  const body = {
    threadId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: 'm1', role: 'user', content: 'High water at six.' }],
    forwardedProps: { delay_ms: 20 },
    tools: [],
    context: [],
    state: {},
  };
  const path = '/api/v1/agui/echo';
  const leave = new AbortController();
  const first = await running.request('POST', path, { body, signal: leave.signal });
  await first.body?.getReader().read();
  leave.abort();
  const second = await running.request('POST', path, { body });
  expect(second.headers.get('x-run-id')).toBe(first.headers.get('x-run-id'));
  const events = (await second.text())
    .split('\n\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as BaseEvent & { delta?: string });
  expect(typesOf(events).filter((type) => type === 'RUN_STARTED')).toHaveLength(1);
  expect(events.map(({ delta = '' }) => delta).join('')).toBe('High water at six.');
  expect(events.at(-1)?.type).toBe('RUN_FINISHED');
});

test('runs that begin a thread at once are in one thread', async () => {
  const threadId = crypto.randomUUID();
  const starts = ['One', 'Two', 'Three'].map((content) => {
    const messages = [{ id: 'm', role: 'user', content }];
    const body = { threadId, runId: crypto.randomUUID(), messages, forwardedProps: { delay_ms: 0 } };
    return running.request('POST', '/api/v1/agui/echo', { body });
  });
  const responses = await Promise.all(starts);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(responses.map(({ headers }) => headers.get('x-thread-id'))).size).toBe(1);
  for (const response of responses) expect(await response.text()).toContain('RUN_FINISHED');
});

test('requests are checked as those of the interface', async () => {
  const body = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Ahoy' }] };
  const post = async (path: string, options: object): Promise<number> =>
    (await running.request('POST', `/api/v1/agui/${path}`, { body, ...options })).status;
  expect(await post('echo', { token: null })).toBe(401);
  expect(await post('nobody', {})).toBe(404);
  expect(await post('echo', { body: { ...body, messages: [] } })).toBe(422);
  expect(await post('echo', { body: { ...body, threadId: 1 } })).toBe(422);
  const without = await startService();
  expect((await without.request('POST', '/api/v1/agui/echo', { body })).status).toBe(404);
  await without.close();
});
