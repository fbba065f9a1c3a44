import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { CallOptions } from '../../../src/service/tools/call-options.ts';
import { McpConnection } from '../../../src/service/tools/mcp-connection.ts';

/**
 * The client scenarios of the protocol's own conformance tests. Those named `auth/…` do not apply: they test a client
 * that signs in as its user by OAuth, and the service sends the headers that its operator has set.
 */
const conformance = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
/** What the tests run as the client: hands the address of their server on, and ends when the work is done. */
const relay = fileURLToPath(new URL('conformance-relay.mjs', import.meta.url));

const options: CallOptions = {
  timeoutMs: 20_000,
  signal: new AbortController().signal,
  runId: 'run',
  traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`,
  onProgress: () => undefined,
  onQuestion: () => Promise.resolve({ action: 'accept', content: {} }),
};

const scenarios: [name: string, args: (tool: string) => Record<string, unknown>][] = [
  ['initialize', () => ({})],
  ['tools_call', () => ({ a: 2, b: 3 })],
  ['elicitation-sep1034-client-defaults', () => ({})],
  ['sse-retry', () => ({})],
];

for (const [scenario, argsFor] of scenarios) {
  test(`passes the client scenario ${scenario}`, async () => {
    test.setTimeout(90_000); // the tests load slowly on a busy machine
    const called: string[] = [];
    const work = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('server') ?? '';
      void useServer(url).then(
        () => response.end('done'),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    const useServer = async (url: string): Promise<void> => {
      const connection = new McpConnection(
        {
          name: 'conformance',
          transport: { kind: 'http', url, headers: {} },
          approve: 'never',
          approveTools: new Map(),
          include: undefined,
          titles: new Map(),
        },
        () => undefined,
      );
      for (const { name } of await connection.tools()) {
        await connection.call(name, argsFor(name), options);
        called.push(name);
      }
      await connection.close();
    };
    await new Promise<void>((resolve) => work.listen(0, '127.0.0.1', resolve));
    const { port } = work.address() as AddressInfo; // listening on a port
    const command = `${process.execPath} ${relay} http://127.0.0.1:${port}`;
    const output = await run([conformance, 'client', '--command', command, '--scenario', scenario]);
    work.close();
    expect(output.code, output.text).toBe(0);
    expect(output.text).not.toMatch(/FAILURE|WARNING/);
    expect(called).toHaveLength(scenario === 'initialize' ? 0 : 1);
  });
}

function run(args: readonly string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (text += piece.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}
