import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { answerCalls, answerText, type ChatMessage } from '../decisions/booking.ts';
import { collect, say, spelled, until } from '../running-service.ts';
import { startChild, type ServiceChild } from '../service-child.ts';
import { startUpstream, type Upstream } from '../upstream.ts';

/** What an MCP server over HTTP answers to calls, by the name of the tool. */
const oddCalls: Readonly<Record<string, (response: ServerResponse, id: unknown) => void>> = {
  huge: (response, id) => sendResult(response, id, { content: [text('x'.repeat(50 * 1024 * 1024))] }),
  broken: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"'),
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
  unavailable: (response) => response.writeHead(503).end(),
  refused: (response) => response.writeHead(401).end(),
  moved: (response) => response.writeHead(307, { location: '/mcp/' }).end(),
  elsewhere: (response) => response.writeHead(307, { location: `${stranger.address}/mcp` }).end(),
  cut_later: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': working\n\n');
    setTimeout(() => response.destroy(), 50);
  },
  end: (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n'),
  answered: (response, id) => {
    const answer = { jsonrpc: '2.0', id, result: { content: [text('fine')] } };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(answer)}\n\n`);
  },
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: message\n');
    response.destroy();
  },
};

let server: Server;
let upstream: Upstream;
/** A server of another origin. */
let stranger: Upstream;
let service: ServiceChild;
let directory: string;

function text(words: string): object {
  return { type: 'text', text: words };
}

function sendResult(response: ServerResponse, id: unknown, result: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

test.beforeAll(async () => {
  test.setTimeout(240_000); // builds the service
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body) as {
        id?: unknown;
        method: string;
        params: { protocolVersion: string; name: string };
      };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'initialize')
        return sendResult(response, id, {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'odd', version: '1' },
        });
      if (method === 'tools/list') {
        const tools = Object.keys(oddCalls).map((name) => ({ name, inputSchema: { type: 'object' } }));
        return sendResult(response, id, { tools });
      }
      if (request.url === '/mcp/') return sendResult(response, id, { content: [text('moved here')] });
      return oddCalls[params.name]?.(response, id);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream = await startUpstream();
  stranger = await startUpstream();
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-http-tools-'));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const odd = { name: 'odd', url: `http://127.0.0.1:${port}/mcp`, approve: 'never' };
  const agent = { id: 'clerk', kind: 'openai', base_url: upstream.address, model: 'm' };
  const agents = [{ ...agent, tools: { mcp_servers: [odd] } }];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  service = await startChild({
    AGENTS_FILE: join(directory, 'agents.json'),
    DATA_DIR: join(directory, 'data'),
  });
});
test.afterAll(async () => {
  await service.kill('SIGTERM');
  await upstream.close();
  await stranger.close();
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});

for (const [name, told] of [
  ['huge', /may have happened/],
  ['broken', /may have happened/],
  ['page', /may have happened/],
  ['cut', /may have happened/],
  ['cut_later', /may have happened/],
  ['end', /may have happened/],
  ['answered', /fine/],
  ['unavailable', /may have happened/],
  ['refused', /refused the call \(401\)/],
  ['moved', /moved here/],
  ['elsewhere', /refused the call \(307\)/],
] as const)
  test(`a server over HTTP that answers with "${name}" costs its call, not the run`, async () => {
    upstream.requests.length = 0;
    upstream.answer = (request, send) => {
      const messages = request.body.messages as unknown as ChatMessage[];
      if (messages.some(({ role }) => role === 'tool')) answerText(send, 'Done.');
      else answerCalls(send, [[name, {}]]);
    };
    const events = await collect(service.client().runStream(say('Go', { agent_id: 'clerk' })));
    expect(spelled(events)).toBe('Done.');
    expect(stranger.requests).toEqual([]);
    if (name !== 'answered' && name !== 'moved')
      await until(() => service.log.some((line) => line.includes(`a call of \\"${name}\\" failed`)));
    const messages = upstream.requests.at(-1)?.body.messages as unknown as ChatMessage[];
    expect(messages.find(({ role }) => role === 'tool')?.content).toMatch(told);
  });
