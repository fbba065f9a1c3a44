import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { scriptedAgent } from '../../../demo/agents/scripted/scripted-agent.ts';
import { loadAgents } from '../../../src/service/agents/load-agents.ts';
import { readRecording } from '../../../src/service/agents/replay.ts';
import { SettingsError } from '../../../src/service/index.ts';
import { atOnce, collect, say, spelled, startService } from '../running-service.ts';

let directory: string;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-agents-'));
});
test.afterAll(() => rmSync(directory, { recursive: true }));

const write = (name: string, content: unknown): string => {
  const file = join(directory, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const note = (): void => undefined;
const faults = async (content: unknown): Promise<string> => {
  const agentsFile = write('wrong.json', content);
  const fault: unknown = await loadAgents(
    { agentsFile, playground: false },
    { scriptedAgent, note, environment: {} },
  ).catch((thrown: unknown) => thrown);
  if (!(fault instanceof SettingsError)) throw new Error(`no settings error: ${String(fault)}`);
  return fault.errors.join('\n');
};

test('without a file, the agents are demo and echo, and a note names them', async () => {
  const notes: string[] = [];
  const agents = await loadAgents(
    { agentsFile: undefined, playground: false },
    { scriptedAgent, note: (text) => notes.push(text) },
  );
  expect(agents.map((agent) => agent.id)).toEqual(['demo', 'echo']);
  expect(notes).toEqual(['AGENTS_FILE is not set: the only agents are "demo" and "echo"']);
});

test('without a scripted agent, there is no demo and the kind "scripted" is an error', async () => {
  const builtIn = await loadAgents({ agentsFile: undefined, playground: true }, { note });
  expect(builtIn.map((agent) => agent.id)).toEqual(['echo']);
  const agentsFile = write('scripted.json', { agents: [{ id: 'guide', kind: 'scripted' }] });
  const loading = loadAgents({ agentsFile, playground: false }, { note });
  await expect(loading).rejects.toThrow(
    /agent "guide": the kind "scripted" is available in the agent-chat command/,
  );
});

test('an agent whose guardrail has no detector is an error: each of its runs would fail', async () => {
  const guardrails = { social_bias: { output: { enabled: true } } };
  const off = { social_bias: { output: { enabled: false } } };
  const agents = [
    { id: 'mine', kind: 'echo' },
    { id: 'free', kind: 'echo', guardrails: off },
  ];
  const agentsFile = write('bias.json', { defaults: { guardrails }, agents });
  const loading = loadAgents({ agentsFile, playground: false }, { note });
  await expect(loading).rejects.toThrow(
    /agent "mine": the guardrail "social_bias" .*SOCIAL_BIAS_DETECTOR_URL$/,
  );
  const socialBiasDetectorUrl = 'http://localhost/bias';
  const loaded = await loadAgents({ agentsFile, playground: false, socialBiasDetectorUrl }, { note });
  expect(loaded.map(({ id }) => id)).toEqual(['mine', 'free']);
});

test('the file replaces the built-in agents when serving, and adds to them in the playground', async () => {
  const agentsFile = write('agents.json', { agents: [{ id: 'mine', kind: 'echo' }] });
  const served = await loadAgents({ agentsFile, playground: false }, { scriptedAgent, note });
  expect(served.map((agent) => agent.id)).toEqual(['mine']);
  const played = await loadAgents({ agentsFile, playground: true }, { scriptedAgent, note });
  expect(played.map((agent) => agent.id)).toEqual(['demo', 'echo', 'mine']);
});

for (const [what, content, words] of [
  ['no JSON', '{', 'cannot be read'],
  ['no list', {}, 'agents is required'],
  ['a list alone', [{ id: 'a', kind: 'echo' }], 'must be an object, like {"agents":[…]}'],
  ['an empty list', { agents: [] }, 'at least'],
  [
    'an unknown kind',
    { agents: [{ id: 'a', kind: 'magic' }] },
    'agents.0.kind must be one of scripted, echo',
  ],
  ['a misspelt member', { agents: [{ id: 'a', kind: 'echo', orgins: [] }] }, 'unknown members: orgins'],
  [
    'an origin with a path',
    { agents: [{ id: 'a', kind: 'echo', origins: ['https://a.example/x'] }] },
    'must be an origin',
  ],
  [
    'a missing model',
    { agents: [{ id: 'a', kind: 'openai', base_url: 'http://x.example' }] },
    'agents.0.model is required',
  ],
  [
    'a wrong address',
    { agents: [{ id: 'a', kind: 'openai', base_url: 'x', model: 'm' }] },
    'agents.0.base_url must be an address',
  ],
  [
    'a key that is not there',
    {
      agents: [{ id: 'a', kind: 'openai', base_url: 'http://x.example', model: 'm', api_key_env: 'NOWHERE' }],
    },
    'NOWHERE is not set',
  ],
  [
    'a key in place of the name of its variable',
    {
      agents: [
        { id: 'a', kind: 'http', url: 'http://x.example', headers_env: { Authorization: 'Bearer k-1' } },
      ],
    },
    'agents.0.headers_env.Authorization must be the name of an environment variable, not its value',
  ],
  [
    'an address that has the endpoint already',
    { agents: [{ id: 'a', kind: 'openai', base_url: 'http://x.example/v1/chat/completions', model: 'm' }] },
    'agents.0.base_url must end before the endpoint, such as /chat/completions',
  ],
  [
    'two of one id',
    {
      agents: [
        { id: 'a', kind: 'echo' },
        { id: 'a', kind: 'echo' },
      ],
    },
    'two agents have the id "a"',
  ],
  [
    'a module that is not there',
    { agents: [{ id: 'a', kind: 'module', module: './nowhere.js' }] },
    'agent "a"',
  ],
  [
    'a recording that is not there',
    { agents: [{ id: 'a', kind: 'replay', file: './nowhere.ndjson' }] },
    'agent "a"',
  ],
] as const) {
  test(`a file with ${what} is rejected with a clear message`, async () => {
    expect(await faults(content)).toContain(words);
  });
}

test('a syntax error of a module, or of what it imports, is reported with the way to its line', async () => {
  const path = write('unfinished.mjs', 'export default async function* () {');
  const first = await faults({ agents: [{ id: 'a', kind: 'module', module: './unfinished.mjs' }] });
  expect(first).toMatch(/agent "a": .*Unexpected/);
  expect(first).toContain(`; to see where, run: node ${path}`);
  const importing = write('importing.mjs', "import './unfinished.mjs'; export default async function* () {}");
  const second = await faults({ agents: [{ id: 'a', kind: 'module', module: './importing.mjs' }] });
  expect(second).toContain(`run: node ${importing}`);
});

test('a module without a function is reported, and what to do about one that TypeScript compiled to CommonJS', async () => {
  write('compiled.cjs', '"use strict"; exports.default = async function* () {};');
  write('other.mjs', 'export const agent = 1;');
  const agents = ['compiled.cjs', 'other.mjs'].map((file) => ({
    id: file,
    kind: 'module',
    module: `./${file}`,
  }));
  const told = await faults({ agents });
  expect(told).toContain('agent "compiled.cjs": is compiled to CommonJS: set "type": "module"');
  expect(told).toContain('agent "other.mjs": exports no function as its default or as "run"');
});

test('a missing package is reported with the command that installs it', async () => {
  write('needy.mjs', "import 'openai'; export default async function* () {}");
  expect(await faults({ agents: [{ id: 'a', kind: 'module', module: './needy.mjs' }] })).toContain(
    'agent "a": needs the package "openai", which is missing: npm install openai@6',
  );
});

test('a module agent receives its input, and its errors stay inside its run', async () => {
  write(
    'agent.mjs',
    `export default async function* (run) {
      if (run.message.content[0].text === 'throw') throw new Error('secret of the module');
      if (run.message.content[0].text === 'forms') {
        yield { event: 'message.delta', data: { delta: 'a' } };
        yield { event: 'message.delta', data: { text: 'b' } };
        yield { event: 'message.delta', data: { delta: { content: 'c' } } };
        yield 'd';
        return;
      }
      yield JSON.stringify([run.history.length, run.contextVariables, run.callbackUrl, run.signal.aborted, run.subject, run.version]);
    }`,
  );
  const agentsFile = write('module.json', {
    agents: [{ id: 'mine', kind: 'module', module: './agent.mjs' }],
  });
  const running = await startService({ agentsFile, publicUrl: 'https://chat.example' });
  try {
    const client = running.client('ada');
    const events = await collect(client.runStream(say('hello', { context_variables: { a: 1 }, version: 4 })));
    const thread_id = String(events[0]?.data['thread_id']);
    expect(JSON.parse(spelled(events))).toEqual([
      0,
      { a: 1 },
      `https://chat.example/api/v1/callback/${thread_id}`,
      false,
      'ada',
      4,
    ]);
    expect(spelled(await collect(client.runStream(say('forms', { thread_id }))))).toBe('abcd');
    const failed = await collect(client.runStream(say('throw', { thread_id })));
    expect(failed.slice(-2).map((event) => event.event)).toEqual(['run.failed', 'done']);
    expect(JSON.stringify(failed)).not.toContain('secret of the module');
  } finally {
    await running.close();
  }
});

test('a request cannot choose where an agent’s backend posts', async () => {
  write('where.mjs', 'export default async function* (run) { yield new URL(run.callbackUrl).origin; }');
  const agentsFile = write('where.json', {
    agents: [{ id: 'where', kind: 'module', module: './where.mjs' }],
  });
  const running = await startService({ agentsFile, trustProxy: true });
  try {
    const token = await running.token();
    const { port } = new URL(running.address);
    const text = await new Promise<string>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
      };
      // `fetch` sets the host by itself.
      const asked = request(
        `${running.address}/api/v1/hub/runs/stream`,
        { method: 'POST', headers },
        (response) => {
          response.toArray().then((parts) => resolve(Buffer.concat(parts as Buffer[]).toString()), reject);
        },
      );
      asked.on('error', reject);
      asked.end(JSON.stringify(say('where?')));
    });
    expect(text).toContain(`http://127.0.0.1:${port}`);
    expect(text).not.toContain('evil.example');
  } finally {
    await running.close();
  }
});

test('an agent that reuses a message id loses no message: the service assigns ids, equal in events and store', async () => {
  write(
    'fixed.mjs',
    `export default async function* (run) {
      const text = run.message.content[0].text;
      const content = [{ response_type: 'text', text }];
      yield { event: 'message.started', data: { message_id: 'fixed-id' } };
      yield { event: 'message.delta', data: { message_id: 'fixed-id', delta: { content: [{ response_type: 'text', text: 'a draft' }] } } };
      yield { event: 'message.delta', data: { message_id: 'fixed-id', delta: { content: [{ response_type: 'text', text: ' and more' }] } } };
      yield { event: 'message.created', data: { message_id: 'fixed-id', message: { id: 'fixed-id', content } } };
      yield { event: 'message.completed', data: { message_id: 'fixed-id' } };
      yield { event: 'message.created', data: { message: { id: 'another', parent_message_id: 'fixed-id', content } } };
      yield { event: 'seen', data: { message_id: run.message.id } };
    }`,
  );
  const agentsFile = write('fixed.json', {
    agents: [{ id: 'fixed', kind: 'module', module: './fixed.mjs' }],
  });
  const running = await startService({ agentsFile });
  try {
    const known = new Set<string>();
    for (const [text, subject, tenantId] of [
      ['one', 'ada', 'quay'],
      ['two', 'ada', 'quay'],
      ['three', 'ada', 'shop'],
    ] as const) {
      const client = running.client(subject, { tenantId });
      const events = await collect(client.runStream(say(text)));
      const idsIn = (event: string) =>
        events.filter((one) => one.event === event).map((one) => String(one.data['message_id']));
      const created = idsIn('message.created');
      for (const event of ['message.started', 'message.delta', 'message.completed'])
        expect(new Set(idsIn(event))).toEqual(new Set(created.slice(0, 1)));
      for (const id of created) expect(id).toMatch(/^[0-9a-f-]{36}$/);
      const kept = await client.extensions.listMessages(String(events[0]?.data['thread_id']));
      expect(kept.map((message) => message.id)).toEqual([...idsIn('seen'), ...created]);
      expect(kept[2]).toMatchObject({ content: [{ text }], parent_message_id: created[0] });
      for (const id of created) known.add(id);
    }
    expect(known.size).toBe(6);
  } finally {
    await running.close();
  }
});

test('a recording can be played twice, with new ids', async () => {
  const lines = [
    { at: 0, event: 'recording.started', data: { message: 'hi' } },
    { at: 5, id: '1770000000000-0', event: 'run.started', data: { run_id: 'R', thread_id: 'T' } },
    {
      at: 9,
      id: '1770000000001-0',
      event: 'message.delta',
      data: {
        run_id: 'R',
        thread_id: 'T',
        delta: { content: [{ id: '1', response_type: 'text', text: 'Hello' }] },
      },
    },
    {
      at: 12,
      event: 'message.created',
      data: {
        run_id: 'R',
        message_id: 'M',
        message: { id: 'M', role: 'assistant', content: [{ response_type: 'text', text: 'Hello' }] },
      },
    },
    { at: 14, event: 'run.completed', data: { run_id: 'R' } },
    { at: 15, event: 'done', data: {} },
  ];
  write('run.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
  const agentsFile = write('replay.json', { agents: [{ id: 'old', kind: 'replay', file: './run.ndjson' }] });
  const running = await startService({ agentsFile });
  try {
    const client = running.client();
    for (const _time of [1, 2]) {
      const events = await collect(client.runStream(say('go', atOnce)));
      expect(events.map((event) => event.event)).toEqual([
        'run.started',
        'message.started',
        'message.delta',
        'message.created',
        'run.completed',
        'done',
      ]);
      expect(JSON.stringify(events)).not.toMatch(/"(R|T|M)"/);
      const kept = await client.extensions.listMessages(String(events[0]?.data['thread_id']));
      expect(kept.at(-1)?.content).toEqual([{ response_type: 'text', text: 'Hello' }]);
    }
  } finally {
    await running.close();
  }
});

test('recordings can be lines, an event stream or an array', () => {
  const sse =
    'id: 1770000000000-0\nevent: message.delta\ndata: {"delta":{"content":"a"}}\n\nid: 1770000000100-0\nevent: done\ndata: {}\n\n';
  expect(readRecording(sse)).toMatchObject([
    { event: 'message.delta', delayMs: 0 },
    { event: 'done', delayMs: 100 },
  ]);
  expect(readRecording('[{"event":"done","data":{}}]')).toHaveLength(1);
  expect(readRecording('{"event":"done"}\nnot json\n{"id":"x"}\n')).toHaveLength(1);
});

const withTools = (...servers: object[]) => ({
  agents: [
    { id: 'a', kind: 'openai', base_url: 'http://127.0.0.1:9', model: 'm', tools: { mcp_servers: servers } },
  ],
});
const wrongTools: [what: string, server: object, line: RegExp][] = [
  ['neither url nor command', { name: 'b' }, /mcp_servers\.0 must have either url or command$/],
  ['both', { name: 'b', url: 'http://127.0.0.1:9', command: 'x' }, /must have either url or command$/],
  ['a bad name', { name: 'b c', command: 'x' }, /mcp_servers\.0\.name must be at most 40 letters/],
  ['a bad address', { name: 'b', url: 'ftp://x' }, /url must be an address starting with http/],
  [
    'a policy that is none',
    { name: 'b', command: 'x', approve: 'maybe' },
    /approve must be never, writes or/,
  ],
  ['an unknown member', { name: 'b', command: 'x', approves: 'never' }, /has unknown members: approves$/],
  ['a missing variable', { name: 'b', command: 'x', env: ['NO_SUCH'] }, /the variable NO_SUCH is not set$/],
  [
    'a missing header variable',
    { name: 'b', url: 'http://127.0.0.1:9', headers_env: { Authorization: 'NO_TOKEN' } },
    /agent "a": the variable NO_TOKEN is not set$/,
  ],
];
for (const [what, server, line] of wrongTools) {
  test(`an MCP server with ${what} is rejected with one clear line`, async () => {
    const text = await faults(withTools(server));
    expect(text.split('\n')).toHaveLength(1);
    expect(text).toMatch(line);
  });
}

test('all variables that are not set are reported at once, each with its agent', async () => {
  const berths = { name: 'b', url: 'http://127.0.0.1:9', headers_env: { Authorization: 'BERTHS' } };
  const files = { name: 'f', command: 'x', env: ['FILES', 'MODEL_KEY'] };
  const [entry] = withTools(berths, files).agents;
  const model = {
    ...entry,
    kind: 'anthropic',
    api_key_env: 'MODEL_KEY',
    headers_env: { 'X-Gateway': 'GATEWAY' },
  };
  const headers_env = { Authorization: 'BACK_KEY' };
  const http = {
    id: 'b',
    kind: 'http',
    url: 'http://127.0.0.1:9',
    signing_secret_env: 'SECRET',
    headers_env,
  };
  expect(
    (await faults({ agents: [model, http] })).replaceAll(/AGENTS_FILE \S+ agent /g, '').split('\n'),
  ).toEqual([
    ...['GATEWAY', 'MODEL_KEY', 'BERTHS', 'FILES'].map((name) => `"a": the variable ${name} is not set`),
    ...['BACK_KEY', 'SECRET'].map((name) => `"b": the variable ${name} is not set`),
  ]);
});

test('duplicate names of MCP servers and numbers out of range are reported', async () => {
  const twice = await faults(withTools({ name: 'b', command: 'x' }, { name: 'b', command: 'y' }));
  expect(twice).toMatch(/mcp_servers must not contain two servers with the same name$/);
  const entry = withTools({ name: 'b', command: 'x' }).agents[0];
  const steps = { agents: [{ ...entry, tools: { ...entry?.tools, max_steps: 0 } }] };
  expect(await faults(steps)).toMatch(/tools\.max_steps must be a number from 1 to 100$/);
});

test('a duration has a unit, or is in milliseconds and at least a second: 30 is no half minute', async () => {
  const timeout = (value: unknown) =>
    faults({ agents: [{ id: 'quay', kind: 'http', url: 'http://127.0.0.1:9/', timeout: value }] });
  expect(await timeout(30)).toContain('agents.0.timeout must have a unit, like "30s"');
  for (const wrong of ['30', '30 s', '6m', 300_001, 1.5, true, null])
    expect(await timeout(wrong)).toContain('agents.0.timeout must be a duration like "30s"');
  const limited = { id: 'quay', kind: 'echo', llm_params: { time_limit: 60 } };
  expect(await faults({ agents: [limited] })).toContain('agents.0.llm_params.time_limit must have a unit');
  const agentsFile = write('durations.json', {
    agents: [{ ...limited, llm_params: { time_limit: '2m' } }],
  });
  const [agent] = await loadAgents({ agentsFile, playground: false }, { note });
  expect(agent?.policy?.llm_params).toEqual({ time_limit: 120_000 });
});

test('a misspelled guardrail is an error: it would be off', async () => {
  const guarded = (guardrails: unknown) => faults({ agents: [{ id: 'quay', kind: 'echo', guardrails }] });
  expect(await guarded({ happ: { input: { enabled: true } } })).toContain(
    'agents.0.guardrails has unknown members: happ',
  );
  expect(await guarded({ hap: { enabled: true } })).toContain('guardrails.hap has unknown members: enabled');
  expect(await guarded({ pii: { input: { enabled: 'yes' } } })).toContain('pii.input.enabled must be');
  expect(await guarded({ pii: { input: { enabled: true, threshold: 50 } } })).toContain(
    'must be from 0 to 1',
  );
});
