import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { createTokenVerifier } from '../../src/service/auth/verify-token.ts';
import { freePort } from '../tools/free-port.ts';
import { GET } from '../../demo/token-endpoints/next-route.ts';

const folder = fileURLToPath(new URL('../../demo/token-endpoints/', import.meta.url));
const secret = 'a secret of at least thirty-two characters';
const verify = createTokenVerifier({
  jwtSecret: secret,
  jwksUrl: undefined,
  jwtAudience: undefined,
  jwtIssuer: undefined,
});

/** Whether a command succeeds. */
const works = (...[command = '', ...words]: string[]): boolean => spawnSync(command, words).status === 0;
/** The Python that has a module: the first in the path, or the system's own. */
const pythonWith = (name: string): string =>
  ['python3', '/usr/bin/python3'].find((python) => works(python, '-c', `import ${name}`)) ?? '';

/** The command of each endpoint for a port; undefined when its runtime is not here. */
const endpoints: Record<string, (port: string) => readonly string[] | undefined> = {
  'node-http.mjs': () => [process.execPath, 'node-http.mjs'],
  'express.mjs': () => {
    return canResolve('express') ? [process.execPath, 'express.mjs'] : undefined;
  },
  'python_http.py': () => (pythonWith('hmac') ? [pythonWith('hmac'), 'python_http.py'] : undefined),
  'flask_app.py': (port) =>
    commandOf(pythonWith('flask'), '-m', 'flask', '--app', 'flask_app', 'run', '-p', port),
  'fastapi_app.py': (port) =>
    commandOf(pythonWith('fastapi, uvicorn'), '-m', 'uvicorn', 'fastapi_app:app', '--port', port),
  'chat-token.php': (port) =>
    works('php', '-v') ? ['php', '-S', `127.0.0.1:${port}`, 'chat-token.php'] : undefined,
  'ChatToken.java': () => (works('java', '--version') ? ['java', 'ChatToken.java'] : undefined),
  // compiles the standard library first: minutes on a machine that has never done it
  'chat_token.go': () =>
    process.env['GO'] && works('go', 'version') ? ['go', 'run', 'chat_token.go'] : undefined,
};

function commandOf(...[program = '', ...words]: string[]): readonly string[] | undefined {
  return program ? [program, ...words] : undefined;
}

function canResolve(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
}

async function expectToken(response: Response): Promise<void> {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { token } = (await response.json()) as { token: string };
  const caller = await verify(token);
  expect(caller).toMatchObject({ tenantId: 'shop', subject: 'visitor-1' });
  expect([...caller.scopes]).toEqual(['run', 'callback', 'notify']);
  expect((caller.expiresAtMs ?? Infinity) - Date.now()).toBeLessThan(610_000);
}

for (const [file, commandFor] of Object.entries(endpoints)) {
  test(`the token endpoint ${file} gives a token to a visitor with a session, and 401 to all others`, async () => {
    const port = String(await freePort());
    const [program, ...words] = commandFor(port) ?? [];
    test.skip(program === undefined, `the runtime of ${file} is not installed`);
    const env = { ...process.env, PORT: port, JWT_SECRET: secret, PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn(program ?? '', words, { cwd: folder, env, stdio: 'ignore' });
    const address = `http://127.0.0.1:${port}/chat-token`;
    try {
      await expect
        .poll(
          () =>
            fetch(address).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 50_000 },
        )
        .toBe(401);
      await expectToken(await fetch(address, { headers: { cookie: 'theme=dark; session=demo-session' } }));
      const other = await fetch(address, { headers: { cookie: 'session=visitor-1' } });
      expect(other.status).toBe(401);
    } finally {
      child.kill('SIGKILL');
    }
  });
}

test('the token endpoint for Next gives a token to a visitor with a session, and 401 to all others', async () => {
  process.env['JWT_SECRET'] = secret;
  const ask = (cookie: string): Response =>
    GET(new Request('https://shop.example/chat-token', { headers: { cookie } }));
  await expectToken(ask('theme=dark; session=demo-session'));
  expect(ask('').status).toBe(401);
  delete process.env['JWT_SECRET'];
});

test('the token endpoint for guests knows a guest again, and lets only pages of the site read the token', async () => {
  const port = String(await freePort());
  const site = 'https://docs.example.com';
  const env = { ...process.env, PORT: port, JWT_SECRET: secret, SITE: site };
  const child = spawn(process.execPath, ['guests.mjs'], { cwd: folder, env, stdio: 'ignore' });
  const ask = (cookie = ''): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/chat-token`, { headers: { cookie } });
  const subject = async (response: Response): Promise<string | undefined> =>
    (await verify(((await response.json()) as { token: string }).token)).subject;
  try {
    await expect
      .poll(
        () =>
          ask().then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    const first = await ask();
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(first.headers.get('access-control-allow-origin')).toBe(site);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const guest = await subject(first);
    expect(guest).toMatch(/^[0-9a-f]{64}$/);
    expect(await subject(await ask(`theme=dark; ${cookie}`))).toBe(guest);
    expect(await subject(await ask())).not.toBe(guest);
  } finally {
    child.kill('SIGKILL');
  }
});

test('each token endpoint has at most 25 lines', () => {
  for (const file of readdirSync(folder).filter((name) => /\.\w+$/.test(name)))
    expect(
      readFileSync(folder + file, 'utf8')
        .trimEnd()
        .split('\n').length,
      file,
    ).toBeLessThanOrEqual(25);
});
