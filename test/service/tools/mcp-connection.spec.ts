import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import type { CallOptions } from '../../../src/service/tools/call-options.ts';
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

type Send = (status: number, result?: object) => void;

/** Connects to a server over HTTP that keeps no sessions. @param answer returns whether it has answered a request */
async function connectToServer(
  answer: (method: string | undefined, send: Send, response: ServerResponse) => boolean,
  reports: string[] = [],
): Promise<{ connection: McpConnection; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body || '{}') as {
        id?: unknown;
        method?: string;
        params?: { protocolVersion: string };
      };
      const send: Send = (status, result) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(result && JSON.stringify({ jsonrpc: '2.0', id, result }));
      };
      if (answer(method, send, response)) return;
      const serverInfo = { name: 'plain', version: '1' };
      const { protocolVersion } = params ?? {};
      if (method === 'initialize') send(200, { protocolVersion, capabilities: { tools: {} }, serverInfo });
      else send(method === undefined ? 405 : 202);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port
  const connection = connectionBy(
    { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} },
    reports,
  );
  return {
    connection,
    async close() {
      await connection.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const callOptions: CallOptions = {
  timeoutMs: 5_000,
  signal: new AbortController().signal,
  runId: 'r',
  traceparent: '',
  onProgress: () => undefined,
  onQuestion: () => Promise.resolve({ action: 'cancel' }),
};

test('a server that has forgotten the session and cannot be connected to again fails the call, not the run', async () => {
  let isDown = false;
  const { connection, close } = await connectToServer((method, send) => {
    if (method === 'tools/call') send(404);
    else if (isDown) send(503);
    isDown ||= method === 'tools/call';
    return isDown;
  });
  try {
    const thrown: unknown = await connection.call('book', {}, callOptions).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ToolCallError);
    expect(thrown).toMatchObject({ mayHaveRun: false });
  } finally {
    await close();
  }
});

test('a list of tools that changed without a word is read again after a while', async () => {
  let name = 'book';
  let count = 0;
  const { connection, close } = await connectToServer((method, send) => {
    if (method !== 'tools/list') return false;
    count += 1;
    send(200, { tools: [{ name, inputSchema: { type: 'object' } }] });
    return true;
  });
  const namesNow = async () => (await connection.tools()).map((tool) => tool.name);
  const now = performance.now.bind(performance);
  try {
    expect(await namesNow()).toEqual(['book']);
    name = 'cancel';
    expect(await namesNow()).toEqual(['book']);
    performance.now = () => now() + 61_000;
    expect(await Promise.all([namesNow(), namesNow()])).toEqual([['cancel'], ['cancel']]);
    expect(count).toBe(2);
  } finally {
    performance.now = now;
    await close();
  }
});

test('a tool whose declaration is invalid costs none of the others, and `null` stands for what is absent', async () => {
  const reports: string[] = [];
  const { connection, close } = await connectToServer((method, send) => {
    if (method !== 'tools/list') return false;
    const inputSchema = { type: 'object', properties: null, required: null };
    send(200, {
      tools: [
        { name: 'odd', inputSchema: {} },
        { name: 'go', title: null, inputSchema },
      ],
      nextCursor: null,
    });
    return true;
  }, reports);
  try {
    expect(await connection.tools()).toEqual([{ name: 'go', inputSchema: { type: 'object' } }]);
    expect(reports).toEqual([expect.stringMatching(/"away" are left out.*: odd$/)]);
  } finally {
    await close();
  }
});

test('once a server has failed, runs do not wait long for it', async () => {
  let isSilent = false;
  let count = 0;
  const { connection, close } = await connectToServer((method, send) => {
    if (method !== 'tools/list') return false;
    count += 1;
    if (!isSilent) send(503);
    return true;
  });
  const now = performance.now.bind(performance);
  const began = now();
  try {
    expect(await connection.tools()).toEqual([]);
    isSilent = true;
    performance.now = () => now() + 6_000;
    expect(await connection.tools()).toEqual([]); // the server would have ten seconds
    expect(count).toBe(2);
    expect(now() - began).toBeLessThan(8_000);
  } finally {
    performance.now = now;
    await close();
  }
});

test('a server that has forgotten the session lists its tools in another', async () => {
  let count = 0;
  const { connection, close } = await connectToServer((method, send) => {
    if (method !== 'tools/list') return false;
    count += 1;
    send(count === 1 ? 404 : 200, { tools: [{ name: 'book', inputSchema: { type: 'object' } }] });
    return true;
  });
  try {
    expect(await connection.tools()).toHaveLength(1);
    expect(count).toBe(2);
  } finally {
    await close();
  }
});

test('the log says what to check when a server refuses the list of its tools', async () => {
  const reports: string[] = [];
  const { connection, close } = await connectToServer((method, send) => {
    if (method === 'initialize') send(401);
    return method === 'initialize';
  }, reports);
  try {
    expect(await connection.tools()).toEqual([]);
    expect(reports).toEqual([
      expect.stringMatching(/cannot be listed: it answered 401.*check "headers_env"/),
    ]);
  } finally {
    await close();
  }
});

test('a call whose question could not be asked still has a time limit', async () => {
  const params = { message: 'How long?', requestedSchema: { type: 'object', properties: {} } };
  const question = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params };
  const { connection, close } = await connectToServer((method, _send, response) => {
    if (method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(question)}\n\n`);
    return true;
  });
  try {
    let asked = 0;
    const onQuestion = (): Promise<never> => {
      asked += 1;
      return Promise.reject(new Error('the database is away'));
    };
    const call = connection.call('book', {}, { ...callOptions, timeoutMs: 500, onQuestion });
    await expect(call).rejects.toThrow('took longer than 0.5 seconds');
    expect(asked).toBe(1);
  } finally {
    await close();
  }
});
