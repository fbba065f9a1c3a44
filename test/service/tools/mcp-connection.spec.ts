import { expect, test } from '@playwright/test';
import { McpConnection } from '../../../src/service/tools/mcp-connection.ts';

/** A connection to a program. */
function connectionTo(command: string, args: readonly string[], reports: string[] = []): McpConnection {
  return new McpConnection(
    {
      name: 'away',
      transport: { kind: 'stdio', command, args, env: {}, directory: '.' },
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
