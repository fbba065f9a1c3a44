import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { embedScript } from '../../../src/service/assets/embed-script.ts';
import { decodeJwt } from 'jose';
import { request as rawRequest } from 'node:http';
import { startService, type RunningService } from '../running-service.ts';

const script = `// a script\n${'console.log("tide");\n'.repeat(100)}`;
let directory: string;
let running: RunningService;

function release(name: string, chunk: string, text = script): string {
  const built = join(directory, name);
  mkdirSync(join(built, 'chunks'), { recursive: true });
  mkdirSync(join(built, 'demo', 'assets'), { recursive: true });
  writeFileSync(join(built, 'agent-chat.js'), text);
  writeFileSync(join(built, 'chunks', chunk), `export const chunk = ${JSON.stringify(chunk)};\n`.repeat(50));
  writeFileSync(join(built, 'demo', 'index.html'), '<!doctype html><title>Playground</title>');
  writeFileSync(join(built, 'demo', 'rtl.html'), '<!doctype html><title>Right to left</title>');
  mkdirSync(join(built, 'demo', 'logos'), { recursive: true });
  for (const picture of ['quay', 'logos/fern'])
    writeFileSync(join(built, 'demo', `${picture}.svg`), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(built, 'secret.txt'), 'not for the web');
  return built;
}

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-assets-'));
  running = await startService({ assetsDir: release('now', 'panel-AAAA.js'), playground: true });
});
test.afterAll(async () => {
  await running.close();
  rmSync(directory, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(running.address + path, { headers });

test('any page may load the script; for a week, no page waits for the next one', async () => {
  const response = await get('/agent-chat.js', { origin: 'https://any.example' });
  expect(await response.text()).toBe(script);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(response.headers.get('content-type')).toContain('text/javascript');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=604800');
  const again = await get('/agent-chat.js', { 'if-none-match': response.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
});

test('a weak ETag, a list of ETags, or * avoids the body', async () => {
  const etag = (await get('/agent-chat.js')).headers.get('etag') ?? '';
  for (const known of [`W/${etag}`, `"other", ${etag}`, '*'])
    expect((await get('/agent-chat.js', { 'if-none-match': known })).status, known).toBe(304);
  expect((await get('/agent-chat.js', { 'if-none-match': '"other"' })).status).toBe(200);
});

test('no encoding is used that the client rejects', async () => {
  for (const [accept, encoding] of [
    ['gzip;q=0', null],
    ['gzip;q=0.000, br ; q=0', null],
    ['br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
  ] as const) {
    const response = await get('/agent-chat.js', { 'accept-encoding': accept });
    expect(response.headers.get('content-encoding'), accept).toBe(encoding);
  }
});

test('a path with a stray percent sign is 404, not an error of the service', async () => {
  for (const path of ['/%25', '/%25zz', '/%252e%252e%252fsecret.txt'])
    expect((await get(path)).status, path).toBe(404);
});

test('chunks are immutable and compressed', async () => {
  const response = await get('/chunks/panel-AAAA.js');
  expect(response.headers.get('cache-control')).toContain('immutable');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const raw = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve) => {
    rawRequest(
      `${running.address}/chunks/panel-AAAA.js`,
      { headers: { 'accept-encoding': 'br' } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(parts) }),
        );
      },
    ).end();
  });
  expect(raw.encoding).toBe('br');
  expect(brotliDecompressSync(raw.body).toString()).toBe(await response.text());
});

test('the versioned URL can be pinned with its integrity hash', async () => {
  const about = (await (await get('/agent-chat.json')).json()) as { path: string; integrity: string };
  const response = await get(about.path);
  expect(response.headers.get('cache-control')).toContain('immutable');
  const body = Buffer.from(await response.arrayBuffer());
  expect(about.integrity).toBe(`sha384-${createHash('sha384').update(body).digest('base64')}`);
  expect((await get(about.path.replace('agent-chat.js', 'chunks/panel-AAAA.js'))).status).toBe(200);
});

test('nothing but the script and its chunks is served', async () => {
  for (const path of [
    '/secret.txt',
    '/chunks/../secret.txt',
    '/chunks/%2e%2e/secret.txt',
    '/agent-chat/0.0.0-dev/secret.txt',
    '/agent-chat/..%2f/agent-chat.js',
    '/chunks/%2e%2e%2fsecret.txt',
    '/%2e%2e/secret.txt',
  ]) {
    const response = await get(path);
    expect(response.status, path).toBe(404);
    expect(await response.text()).not.toContain('not for the web');
  }
});

test('chunks of the previous release are served after an update', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-chat-update-'));
  const before = await startService({ assetsDir: release('r1', 'panel-1.js', `${script}1`), dataDir });
  await before.close();
  const after = await startService({ assetsDir: release('r2', 'panel-2.js', `${script}2`), dataDir });
  try {
    for (const chunk of ['panel-1.js', 'panel-2.js'])
      expect((await fetch(`${after.address}/chunks/${chunk}`)).status, chunk).toBe(200);
    expect((await fetch(`${after.address}/chunks/panel-0.js`)).status).toBe(404);
  } finally {
    await after.close();
    rmSync(dataDir, { recursive: true });
  }
});

test('the playground is served with its pages', async () => {
  expect(await (await get('/')).text()).toContain('Playground');
  expect(await (await get('/rtl.html')).text()).toContain('Right to left');
  expect(await (await get('/rtl')).text()).toContain('Right to left');
  expect((await get('/nowhere.html')).status).toBe(404);
});

test('pages of other sites may load the playground’s images and nothing else', async () => {
  const policy = async (path: string) => (await get(path)).headers.get('cross-origin-resource-policy');
  expect(await policy('/logos/fern.svg')).toBe('cross-origin');
  expect(await policy('/rtl.html')).toBe('same-site');
});

test('the picture in the demo agent’s answers is there without the playground, but not without that agent', async () => {
  const assetsDir = join(directory, 'now');
  const agentsFile = join(directory, 'agents.json');
  writeFileSync(agentsFile, JSON.stringify({ agents: [{ id: 'echo', kind: 'echo' }] }));
  const service = await startService({ assetsDir });
  const others = await startService({ assetsDir, agentsFile });
  try {
    const picture = await fetch(`${service.address}/quay.svg`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await fetch(`${others.address}/quay.svg`)).status).toBe(404);
  } finally {
    await Promise.all([service.close(), others.close()]);
  }
});

test('each browser gets short-lived tokens for its own visitor', async () => {
  const ask = async (cookie?: string) => {
    const response = await get('/demo/token', cookie === undefined ? {} : { cookie });
    const { token } = (await response.json()) as { token: string };
    const [own = ''] = (response.headers.get('set-cookie') ?? '').split(';');
    return { claims: decodeJwt(token), cookie: own, header: response.headers.get('set-cookie') ?? '' };
  };
  const first = await ask();
  expect(first.header).toMatch(/; Path=\/;.*HttpOnly/); // the proxy of a development server has a path of its own
  expect((await ask(first.cookie)).claims.sub).toBe(first.claims.sub);
  expect((await ask()).claims.sub).not.toBe(first.claims.sub);
  expect((await ask('agent_chat_demo=../../x')).claims.sub).toMatch(/^visitor-[0-9a-f-]{36}$/);
  expect((first.claims.exp ?? 0) - Date.now() / 1000).toBeLessThan(3600);
});

test('a page on another local host name stays one visitor without a cookie', async () => {
  const ask = async (origin: string, agent: string) => {
    const response = await get('/demo/token', { origin, 'user-agent': agent });
    const { token } = (await response.json()) as { token: string };
    return { sub: decodeJwt(token).sub, allowed: response.headers.get('access-control-allow-origin') };
  };
  const [, port = ''] = /:(\d+)$/.exec(running.address) ?? [];
  const first = await ask('http://localhost:5500', 'Browser 1');
  expect(first.allowed).toBe('http://localhost:5500');
  expect(await ask('http://localhost:5500', 'Browser 1')).toEqual(first);
  expect((await ask('http://localhost:5500', 'Browser 2')).sub).not.toBe(first.sub);
  expect((await ask('http://localhost:5501', 'Browser 1')).sub).not.toBe(first.sub);
  const own = `http://127.0.0.1:${port}`;
  expect((await ask(own, 'Browser 1')).sub).not.toBe((await ask(own, 'Browser 1')).sub);
  for (const foreign of ['https://evil.example', 'null'])
    expect((await ask(foreign, 'Browser 1')).allowed).toBeNull();
});

for (const hostile of [
  '"><script>alert(1)</script>',
  'x" onload="alert(1)',
  "' onload='x",
  '`',
  '</script>',
  '&quot;',
  'a\nb\rc\u0000',
]) {
  test(`${JSON.stringify(hostile)} in a config is escaped`, () => {
    const text = embedScript({
      address: 'https://chat.example',
      agentId: hostile,
      layout: {
        primary_color: hostile,
        second_color: hostile,
        accent_color: hostile,
        theme: hostile,
        form: { type: hostile, properties: { container_id: hostile, width: hostile, height: hostile } },
      },
      isLive: true,
      productPath: 'hub',
      identifierPrefix: 'svc_',
    });
    expect(text.match(/<[a-z/]/gi)).toEqual(['<s', '</']);
    expect(text).toMatch(
      /^<script async src="[^"]*" crossorigin( data-[a-z-]+="[^"<>'`\n\r\0]*")+><\/script>$/,
    );
    const decoded = /data-theme="([^"]*)"/
      .exec(text)?.[1]
      ?.replace(/&#(\d+);|&(\w+);/g, (_all, code: string | undefined, name: string | undefined) =>
        code === undefined
          ? ({ quot: '"', lt: '<', gt: '>', amp: '&' }[name ?? ''] ?? '?')
          : String.fromCharCode(Number(code)),
      );
    expect(decoded).toBe(hostile.replace('\u0000', ''));
  });
}
