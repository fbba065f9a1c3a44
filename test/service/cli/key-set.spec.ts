import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { until } from '../running-service.ts';
import { startChild } from '../service-child.ts';

const answers = {
  '/good': { status: 200, body: '{"keys":[]}' },
  '/moved': { status: 404, body: 'Not found' },
  '/page': { status: 200, body: '<title>Sign in</title>' },
};

test('at its start, the service warns of a key set that cannot be fetched, and of no other', async () => {
  test.setTimeout(90_000);
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const { status, body } = answers[url as keyof typeof answers]; // the addresses below
    response.writeHead(status).end(body);
    asked.add(url);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-key-set-'));
  for (const [path, told] of [
    ['/moved', 'it answered 404 instead of 200'],
    ['/page', 'Failed to parse the JSON Web Key Set HTTP response as JSON'],
    ['/good', undefined],
  ] as const) {
    const jwksUrl = `http://127.0.0.1:${port}${path}`;
    const child = await startChild({ DATA_DIR: directory, JWKS_URL: jwksUrl });
    const warnings = () => child.log.filter((line) => line.includes('"level":40') && line.includes(jwksUrl));
    try {
      await until(() => (told === undefined ? asked.has(path) : warnings().length > 0));
      expect(warnings().join()).toContain(told ?? '');
      if (told === undefined) expect(warnings()).toEqual([]);
    } finally {
      await child.kill();
    }
  }
  rmSync(directory, { recursive: true });
  server.close();
});
