import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { McpConnection } from '../../../src/service/tools/mcp-connection.ts';
import { ToolCallError } from '../../../src/service/tools/tool-call.ts';
import type { ServerSettings } from '../../../src/service/tools/tool-settings.ts';

/** A connection to a program. */
function connectionTo(command: string, args: readonly string[], reports: string[] = []): McpConnection {
  return connectionBy({ kind: 'stdio', command, args, env: {}, directory: '.' }, reports);
}

function connectionBy(transport: ServerSettings['transport'], reports: string[] = []): McpConnection {
  return new McpConnection(
    {
      name: 'away',
      transport,
      approve: 'writes',
      approveTools: new Map(),
      include: undefined,
      titles: new Map(),
    },
    (text) => reports.push(text),
  );
}

test('a server that does not answer while it is connected to does not delay the stop', async () => {
  const connection = connectionTo(process.execPath, ['-e', 'process.stdin.resume()']);
  const listing = connection.tools();
  await new Promise((resolve) => setImmediate(resolve));
  const began = performance.now();
  await connection.close();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await listing).toEqual([]);
});

test('a server that cannot be reached is tried again after a while, also when the clock of the machine is set', async () => {
  const reports: string[] = [];
  const connection = connectionTo('there-is-no-such-command', [], reports);
  const { now } = Date;
  try {
    expect(await connection.tools()).toEqual([]);
    Date.now = () => now() + 3_600_000;
    expect(await connection.tools()).toEqual([]);
    expect(reports).toHaveLength(1);
  } finally {
    Date.now = now;
    await connection.close();
  }
});

test('a server that has forgotten the session and cannot be connected to again fails the call, not the run', async () => {
  let isDown = false;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body || '{}') as {
        id?: unknown;
        method?: string;
        params: { protocolVersion: string };
      };
      if (method === 'tools/call') {
        isDown = true;
        return void response.writeHead(404).end();
      }
      if (method !== 'initialize') return void response.writeHead(id === undefined ? 202 : 405).end();
      if (isDown) return void response.writeHead(503).end();
      const result = {
        protocolVersion: params.protocolVersion,
        capabilities: {},
        serverInfo: { name: 'forgetful', version: '1' },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port
  const connection = connectionBy({ kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} });
  try {
    const call = connection.call(
      'book',
      {},
      {
        timeoutMs: 5_000,
        signal: new AbortController().signal,
        runId: 'r',
        traceparent: '',
        onProgress: () => undefined,
        onQuestion: () => Promise.resolve({ action: 'cancel' }),
      },
    );
    const thrown: unknown = await call.catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ToolCallError);
    expect(thrown).toMatchObject({ mayHaveRun: false });
  } finally {
    await connection.close();
    server.closeAllConnections();
    server.close();
  }
});
