import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { ContentItem, RunEvent } from '../../../src/protocol/index.ts';
import { answerCalls, answerText, type ChatMessage } from '../decisions/booking.ts';
import { collect, say, startService, until, type RunningService } from '../running-service.ts';
import { startUpstream, type Upstream } from '../upstream.ts';

const everything = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
/** The server listens on every address; this makes it listen on the loopback one. */
const loopbackOnly = `data:text/javascript,${encodeURIComponent(
  "import net from 'node:net';const {listen}=net.Server.prototype;net.Server.prototype.listen=function(port,done){return listen.call(this,{port:Number(port),host:'127.0.0.1'},done)}",
)}`;

let upstream: Upstream;
let running: RunningService;
let server: ChildProcess;
let directory: string;

test.beforeAll(async () => {
  upstream = await startUpstream();
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-everything-'));
  const port = await freePort();
  server = spawn(process.execPath, ['--import', loopbackOnly, everything, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: 'ignore',
  });
  const model = { kind: 'openai', base_url: upstream.address, model: 'm' };
  const shared = { name: 'everything', approve: 'never' };
  const stdio = { ...shared, command: process.execPath, args: [everything, 'stdio'] };
  const http = { ...shared, url: `http://127.0.0.1:${port}/mcp` };
  const agents = [
    { ...model, id: 'stdio', tools: { mcp_servers: [stdio], show_tool_details: true } },
    { ...model, id: 'http', tools: { mcp_servers: [http], show_tool_details: true } },
  ];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
  await until(async () => (await fetch(http.url, { method: 'GET' }).catch(() => undefined)) !== undefined);
});
test.afterAll(async () => {
  await running.close();
  await upstream.close();
  server.kill();
  rmSync(directory, { recursive: true });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo; // listening on a port
      probe.close(() => resolve(port));
    });
  });
}

/** The model asks for one call, then is done. Returns the run's events and the call's result. */
async function call(agent: string, name: string, args: object) {
  upstream.requests.length = 0;
  upstream.answer = (request, send) => {
    const messages = request.body.messages as unknown as ChatMessage[];
    if (messages.some(({ role }) => role === 'tool')) answerText(send, 'Done.');
    else answerCalls(send, [[name, args]]);
  };
  const events: RunEvent[] = [];
  for await (const event of running.client().runStream(say('Go', { agent_id: agent }))) {
    events.push(event);
    if (event.event === 'flow.slot.listen') await answerForm(agent, event);
  }
  const messages = upstream.requests.at(-1)?.body.messages as unknown as ChatMessage[];
  return { events, result: messages.find(({ role }) => role === 'tool')?.content ?? '' };
}

async function answerForm(agent: string, { data }: RunEvent): Promise<void> {
  const { content } = data['message'] as { content: ContentItem[] };
  const form = content.find(({ json_schema: schema }) => schema);
  const item = {
    response_type: 'form_operation',
    id: form?.id,
    form_operation: 'submit',
    form_data: { name: 'Ada', check: true },
  };
  const request = say('', { agent_id: agent, thread_id: String(data['thread_id']) });
  await collect(running.client().runStream({ ...request, message: { role: 'user', content: [item] } }));
}

const gzip = { name: 'tides.gz', data: 'data:text/plain,tides', outputType: 'resource' };
const calls: [name: string, args: object, result: RegExp][] = [
  ['echo', { message: 'ahoy' }, /ahoy/],
  ['get-sum', { a: 2, b: 3 }, /5/],
  ['get-tiny-image', {}, /image shown to the visitor/],
  ['get-annotated-message', { messageType: 'success', includeImage: false }, /./],
  ['get-structured-content', { location: 'Chicago' }, /./],
  ['get-resource-links', { count: 2 }, /./],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }, /./],
  ['get-env', {}, /PATH/],
  ['trigger-long-running-operation', { duration: 0.2, steps: 2 }, /completed/i],
  ['trigger-elicitation-request', {}, /Ada/],
  ['toggle-simulated-logging', {}, /./],
  ['toggle-subscriber-updates', {}, /./],
  ['simulate-research-query', { topic: 'tides' }, /./],
  ['gzip-file-as-resource', gzip, /./],
];

for (const agent of ['stdio', 'http']) {
  test(`every tool of server-everything answers over ${agent}; progress and elicitation arrive`, async () => {
    const wrong: string[] = [];
    const offered = new Set<string>();
    for (const [name, args, expected] of calls) {
      const { events, result } = await call(agent, name, args);
      for (const tool of (upstream.requests[0]?.body['tools'] ?? []) as { function: { name: string } }[])
        offered.add(tool.function.name);
      if (!expected.test(result) || result.startsWith('The arguments are invalid'))
        wrong.push(`${name}: ${result.slice(0, 200)}`);
      if (name === 'trigger-long-running-operation')
        expect(events.map(({ event }) => event)).toContain('run.step.intermediate');
    }
    expect(wrong).toEqual([]);
    expect([...offered].sort()).toEqual(calls.map(([name]) => name).sort());
  });
}
