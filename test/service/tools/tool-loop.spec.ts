import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { RunEvent, RunRequest } from '../../../src/protocol/index.ts';
import { answer, askedIn } from '../decisions/booking.ts';
import { collect, say, spelled, startService, until, type RunningService } from '../running-service.ts';
import { startUpstream, type Upstream, type UpstreamReply } from '../upstream.ts';

const harbour = fileURLToPath(new URL('../../../demo/agents/harbour.mjs', import.meta.url));
const odd = fileURLToPath(new URL('odd-server.mjs', import.meta.url));

let upstream: Upstream;
let running: RunningService;
let directory: string;

/** A message of a chat-completions request. */
interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

test.beforeAll(async () => {
  upstream = await startUpstream();
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-tools-'));
  process.env['HARBOUR_LOG'] = join(directory, 'harbour.log');
  const model = { kind: 'openai', base_url: upstream.address, model: 'm' };
  const berths = {
    name: 'berths',
    command: process.execPath,
    args: [harbour, '5'],
    env: ['HARBOUR_LOG'],
    approve: 'never',
  };
  const strange = { name: 'odd', command: process.execPath, args: [odd], approve: 'never' };
  const down = { name: 'down', url: 'http://127.0.0.1:9/mcp', approve: 'never' };
  writeFileSync(join(directory, 'captain.mjs'), captain);
  const agents = [
    { ...model, id: 'clerk', tools: { mcp_servers: [berths], max_steps: 3, show_tool_details: true } },
    { ...model, id: 'patient', tools: { mcp_servers: [berths], max_steps: 20 } },
    { ...model, id: 'quiet', tools: { mcp_servers: [berths] } },
    { ...model, id: 'odd', tools: { mcp_servers: [strange, down], result_limit: 2_000 } },
    { ...model, id: 'wary', tools: { mcp_servers: [{ ...strange, approve: 'writes' }] } },
    { ...model, id: 'hasty', tools: { mcp_servers: [strange], call_timeout: '300ms' } },
    { ...model, id: 'slow', tools: { mcp_servers: [{ ...berths, args: [harbour, '60000'] }] } },
    { ...model, id: 'careful', tools: { mcp_servers: [{ ...berths, approve: 'always' }] } },
    { id: 'captain', kind: 'module', module: 'captain.mjs', tools: { mcp_servers: [berths] } },
  ];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
});
test.afterAll(async () => {
  await running.close();
  await upstream.close();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  upstream.requests.length = 0;
  writeFileSync(join(directory, 'harbour.log'), '');
});

const captain = `
export default async function* (run) {
  yield* run.tools.loop(async function* ({ tools, calls }) {
    if (calls.length === 0) return [{ name: tools[0].name, args: { length: 9 } }];
    yield 'The first free berth: ' + JSON.parse(calls[0].result)[0].berth;
  });
}`;

const ask = (agent: string, more: Partial<RunRequest> = {}, text = 'Go') =>
  collect(running.client().runStream(say(text, { agent_id: agent, ...more })));
const messagesOf = (place: number) => upstream.requests[place]?.body.messages as unknown as ChatMessage[];
const results = (place: number) =>
  messagesOf(place)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
const executed = () =>
  readFileSync(join(directory, 'harbour.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { call: string }).call);
const details = (events: readonly RunEvent[]) =>
  events
    .filter(({ event }) => event === 'run.step.delta')
    .flatMap(({ data }) => (data['delta'] as { step_details: Record<string, unknown>[] }).step_details);

/** The first request gets tool calls, every later one text. */
function callThenSay(...calls: [name: string, args: unknown][]): void {
  upstream.answer = (request, send) => {
    const hasResults = (request.body.messages as unknown as ChatMessage[]).some(
      ({ role }) => role === 'tool',
    );
    if (hasResults) answerText(send, 'Done.');
    else answerCalls(send, calls);
  };
}

function answerCalls(send: UpstreamReply, calls: [name: string, args: unknown][]): void {
  calls.forEach(([name, args], index) => {
    const json = typeof args === 'string' ? args : JSON.stringify(args);
    send.part({ tool_calls: [{ index, id: `c${index}`, function: { name, arguments: json.slice(0, 3) } }] });
    send.part({ tool_calls: [{ index, function: { arguments: json.slice(3) } }] });
  });
  send.part({}, { finish_reason: 'tool_calls' });
  send.end();
}

function answerText(send: UpstreamReply, text: string): void {
  send.part({ content: text }, { finish_reason: 'stop' });
  send.end();
}

test('the model calls two tools at once, gets their results in order, and answers', async () => {
  callThenSay(['sound_depth', { berth: 'A4' }], ['find_berth', { length: 11 }]);
  const events = await ask('clerk');
  expect(spelled(events)).toBe('Done.');
  expect(executed().sort()).toEqual(['find_berth', 'sound_depth']);
  const tools = upstream.requests[0]?.body['tools'] as { function: { name: string } }[];
  expect(tools.map((tool) => tool.function.name)).toContain('book_berth');
  const [first, second] = results(1);
  expect(first).toContain('3.4 m');
  expect(second).toContain('"berth":"B2"');
  const call = messagesOf(1).find(({ tool_calls }) => tool_calls);
  expect(call?.tool_calls?.map((one) => one.id)).toEqual(
    messagesOf(1).flatMap(({ tool_call_id }) => tool_call_id ?? []),
  );
});

test('steps are on the wire with title, server, arguments and result; progress is the status line', async () => {
  callThenSay(['sound_depth', { berth: 'A4' }]);
  const events = await ask('clerk');
  const steps = events.map(({ event }) => event).filter((event) => event.startsWith('run.step'));
  expect(steps[0]).toBe('run.step.started');
  expect(steps).toContain('run.step.intermediate');
  expect(steps.at(-1)).toBe('run.step.completed');
  const [called, answered] = details(events);
  expect(called).toMatchObject({
    type: 'tool_calls',
    tool_calls: [{ name: 'sound_depth', title: 'Sound the depth', server: 'berths', args: { berth: 'A4' } }],
  });
  const [{ id }] = called?.['tool_calls'] as [{ id: string }];
  expect(answered).toMatchObject({ type: 'tool_response', tool_call_id: id, name: 'sound_depth' });
  expect(answered?.['content']).toContain('3.4 m');
});

test('without show_tool_details, neither arguments nor results leave the service', async () => {
  callThenSay(['find_berth', { length: 11 }]);
  const events = await ask('quiet');
  expect(spelled(events)).toBe('Done.');
  expect(JSON.stringify(events)).toContain('Find a berth');
  expect(JSON.stringify(events)).not.toMatch(/B2|"length"/);
});

test('a later turn contains calls and results in pairs', async () => {
  callThenSay(['find_berth', { length: 11 }]);
  const [first] = await ask('clerk');
  upstream.answer = (_request, send) => answerText(send, 'As I said.');
  upstream.requests.length = 0;
  await ask('clerk', { thread_id: String(first?.data['thread_id']) }, 'Again?');
  const roles = messagesOf(0).map(({ role }) => role);
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  expect(messagesOf(0)[1]?.tool_calls?.[0]?.id).toBe(messagesOf(0)[2]?.tool_call_id);
});

test('an unknown tool, broken arguments and a failing tool are told to the model, and the run goes on', async () => {
  callThenSay(
    ['sail_away', {}],
    ['find_berth', { length: 'long' }],
    ['find_berth', '{"length":'],
    ['find_berth', { length: 39 }],
  );
  const events = await ask('clerk');
  expect(spelled(events)).toBe('Done.');
  expect(executed()).toEqual(['find_berth', 'find_berth']); // the last one, and its failure
  expect(results(1)).toEqual([
    expect.stringContaining('no tool "sail_away"'),
    expect.stringContaining('length'),
    expect.stringContaining('not valid JSON'),
    expect.stringContaining('No berth is long enough'),
  ]);
  expect(events.filter(({ event }) => event === 'run.step.failed')).toHaveLength(4);
  expect(details(events).filter((detail) => detail['is_error'] === true)).toHaveLength(4);
});

test('after max_steps the model is asked once more, and may call none of its tools', async () => {
  upstream.answer = (request, send) => {
    if (request.body['tool_choice'] === 'none') answerText(send, 'Enough.');
    else answerCalls(send, [['find_berth', { length: 9 }]]);
  };
  const events = await ask('clerk');
  expect(upstream.requests[3]?.body['tools']).toEqual(upstream.requests[0]?.body['tools']);
  expect(upstream.requests).toHaveLength(4);
  expect(executed()).toHaveLength(3);
  expect(spelled(events)).toBe('Enough.');
});

test('a run of many steps lets go of the signals of its requests', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  upstream.answer = (_request, send) => {
    if (upstream.requests.length > 20) answerText(send, 'Enough.');
    else answerCalls(send, [['find_berth', { length: 9 }]]);
  };
  expect(spelled(await ask('patient'))).toBe('Enough.');
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('a call that needs approval does not run without it', async () => {
  callThenSay(['book_berth', { berth: 'A1', boat: 'Wal', nights: 2 }]);
  await ask('careful');
  expect(executed()).toEqual([]);
});

test('Stop reaches the running call', async () => {
  upstream.answer = (_request, send) => answerCalls(send, [['sound_depth', { berth: 'A1' }]]);
  const events: RunEvent[] = [];
  for await (const event of running.client().runStream(say('Go', { agent_id: 'slow' }))) {
    events.push(event);
    if (event.event === 'run.step.intermediate')
      await running.request('POST', `/api/v1/hub/runs/${String(event.data['run_id'])}/cancel`);
  }
  expect(events.map(({ event }) => event)).toContain('run.cancelled');
  await until(() => readFileSync(join(directory, 'harbour.log'), 'utf8').includes('"cancelled":true'));
  upstream.answer = (_request, send) => answerText(send, 'Back.');
  upstream.requests.length = 0;
  await ask('slow', { thread_id: String(events[0]?.data['thread_id']) });
  expect(results(0)).toEqual([expect.stringContaining('nobody knows whether it happened')]);
});

test('a call without an answer or progress fails after call_timeout', async () => {
  callThenSay(['hang', {}]);
  expect(spelled(await ask('hasty'))).toBe('Done.');
  expect(results(1)[0]).toMatch(/took longer than 0\.3 seconds/);
});

test('an answer that comes after the cancellation is not taken for another', async () => {
  callThenSay(['late', {}], ['fault', {}]);
  expect(spelled(await ask('hasty'))).toBe('Done.');
  expect(results(1)[0]).toMatch(/took longer than 0\.3 seconds/);
  callThenSay(['image', {}]);
  upstream.requests.length = 0;
  expect(spelled(await ask('hasty'))).toBe('Done.');
  expect(results(1)[0]).toMatch(/^\[image shown/);
});

test('a question ends with its call, also when the server does not say so', async () => {
  callThenSay(['brusque', {}]);
  const events = await ask('odd');
  expect(results(1)).toEqual(['never mind']);
  const asked = events.find(({ event }) => event === 'flow.slot.listen');
  const closed = events.findLast(({ data }) => data['message_id'] === asked?.data['message_id']);
  expect(closed?.event).toBe('message.created');
  expect(JSON.stringify(closed?.data)).toContain('"decision":{"state":"expired"');
  expect(spelled(events)).toBe('Done.');
});

test('a server may neither ask the model nor list folders', async () => {
  callThenSay(['nosy', {}]);
  await ask('odd');
  expect(results(1)).toEqual([
    'sampling/createMessage: -32601, roots/list: -32601, elicitation/none: -32601',
  ]);
});

test('guardrails apply to arguments and results; a result that is stopped is withheld, and the run goes on', async () => {
  const input = { pii: { input: { enabled: true }, mask: { remove_entity_value: false } } };
  callThenSay(['private', {}]);
  expect(spelled(await ask('odd', { guardrails: input }))).toBe('Done.');
  expect(results(1)).toEqual(['The call ended. A guardrail withheld its result.']);
  const output = { pii: { output: { enabled: true }, mask: { remove_entity_value: true } } };
  callThenSay(['book_berth', { berth: 'A1', boat: 'ada@example.com', nights: 2 }]);
  await ask('clerk', { guardrails: output });
  const log = readFileSync(join(directory, 'harbour.log'), 'utf8');
  expect(log).toContain('book_berth');
  expect(log).not.toContain('ada@example.com');
});

const oddities: [name: string, result: RegExp][] = [
  ['crash', /broke; the call may have happened/],
  ['huge', /broke; the call may have happened/],
  ['large', /\[cut: the result has 200000 bytes, the first 2000 are shown\]$/],
  ['fault', /the harbour is closed/],
  ['lie', /^done$/],
  ['bad_schema', /^fine$/],
];
for (const [name, result] of oddities) {
  test(`a server that answers with "${name}" costs its call, not the run`, async () => {
    callThenSay([name, {}]);
    const events = await ask('odd');
    expect(spelled(events)).toBe('Done.');
    expect(results(1)[0]).toMatch(result);
    const mayHaveRun = result.source.includes('may have happened');
    expect(details(events).at(-1)?.['outcome']).toBe(mayHaveRun ? 'unknown' : undefined);
  });
}

test('tools that a server adds are offered in the next step', async () => {
  const offered: boolean[] = [];
  upstream.answer = (request, send) => {
    offered.push(JSON.stringify(request.body['tools'] ?? []).includes('"grown"'));
    if (offered.length === 1) answerCalls(send, [['grow', {}]]);
    else answerText(send, 'Done.');
  };
  await ask('odd');
  expect(offered).toEqual([false, true]);
});

test('a tool that its server removes after the question is not called when it is approved', async () => {
  callThenSay(['gate', {}]);
  const asked = await ask('wary');
  expect(askedIn(asked).map(({ name }) => name)).toEqual(['Gate']);
  callThenSay(['shut', {}]);
  await ask('wary');
  callThenSay();
  // the server says it in a notification, which may arrive later
  await until(async () => {
    await ask('wary');
    return !JSON.stringify(upstream.requests.at(-1)?.body['tools']).includes('"gate"');
  });
  upstream.requests.length = 0;
  const answered = await collect(
    running.client().runStream({ ...answer(asked, 'submit'), agent_id: 'wary' }),
  );
  expect(spelled(answered)).toBe('Done.');
  expect(results(0)).toEqual([expect.stringContaining('This tool is gone. The call did not run.')]);
});

test('what a model thinks before and after a call is separated', async () => {
  upstream.answer = (request, send) => {
    const isFirst = (request.body.messages as { role: string }[]).at(-1)?.role === 'user';
    for (const reasoning_content of isFirst ? ['I ', 'look.'] : ['I ', 'know.'])
      send.part({ reasoning_content });
    if (isFirst) answerCalls(send, [['fault', {}]]);
    else answerText(send, 'Done.');
  };
  const events = await ask('odd');
  const thoughts = events.flatMap(({ event, data }) =>
    event === 'run.step.thinking' ? [data['thinking']] : [],
  );
  expect(thoughts.join('')).toBe('I look.\n\nI know.');
});

test('images of safe types become content items', async () => {
  callThenSay(['image', {}]);
  const events = await ask('odd');
  const message = events.findLast(({ event }) => event === 'message.created')?.data['message'];
  const { content } = message as { content: { response_type: string; source?: string }[] };
  expect(content.filter((item) => item.response_type === 'image').map(({ source }) => source)).toEqual([
    'data:image/png;base64,iVBORw0KGgo=',
  ]);
});

test('an agent module runs the same loop', async () => {
  expect(spelled(await ask('captain'))).toBe('The first free berth: A4');
  expect(executed()).toEqual(['find_berth']);
});

test('calls are counted by server and tool', async () => {
  callThenSay(['find_berth', { length: 9 }]);
  await ask('clerk');
  const text = await (await running.request('GET', '/metrics')).text();
  expect(text).toMatch(/agent_chat_tool_calls_total\{server="berths",tool="find_berth",outcome="ok"\} \d/);
});
