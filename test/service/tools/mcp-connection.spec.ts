import { expect, test } from '@playwright/test';
import { McpConnection } from '../../../src/service/tools/mcp-connection.ts';

test('a server that cannot be reached is tried again after a while, also when the clock of the machine is set', async () => {
  const reports: string[] = [];
  const connection = new McpConnection(
    {
      name: 'away',
      transport: { kind: 'stdio', command: 'there-is-no-such-command', args: [], env: {}, directory: '.' },
      approve: 'writes',
      approveTools: new Map(),
      include: undefined,
      titles: new Map(),
    },
    (text) => reports.push(text),
  );
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
