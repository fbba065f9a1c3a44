import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { decodeJwt, jwtVerify } from 'jose';
import { scriptedAgent } from '../../../demo/agents/scripted/scripted-agent.ts';
import { runCommand } from '../../../src/service/cli/run-command.ts';
import { secret, startService } from '../running-service.ts';
import { builtCommand } from '../service-child.ts';

let directory: string;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-cli-'));
});
test.afterAll(() => rmSync(directory, { recursive: true }));

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand(), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATA_DIR: join(directory, 'data'), ...environment },
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

/** The same in this process, for words that start no service: a process takes a quarter of a second to load. */
async function runHere(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const printed = { stdout: '', stderr: '' };
  const { log, error } = console;
  const former = { ...process.env };
  console.log = (text: string) => (printed.stdout += `${text}\n`);
  console.error = (text: string) => (printed.stderr += `${text}\n`);
  Object.assign(process.env, environment);
  try {
    return { status: await runCommand(words, { scriptedAgent }), ...printed };
  } finally {
    Object.assign(console, { log, error });
    process.env = former;
  }
}

const commands = ['serve', 'playground', 'token', 'key', 'usage', 'migrate', 'verify'];

for (const command of commands) {
  test(`${command} --help describes the command, fits a terminal and shows defaults only where there are some`, async () => {
    const { status, stdout } = await runHere([command, '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain(`agent-chat-service ${command}`);
    expect(stdout.split('\n').filter((line) => line.length > 102)).toEqual([]);
    expect(stdout).not.toContain('(–)');
  });
}

test('the built command shows the defaults of settings', () => {
  expect(run(['serve', '--help']).stdout).toMatch(/RATE_LIMIT[^]*?\(default:\s+120\)/);
});

test('help lists every command, and an unknown command is rejected', () => {
  const { stdout } = run([]);
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^ +${command} `, 'm'));
  const wrong = run(['sevre']);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain('there is no command "sevre"');
});

test('help for an unknown command is rejected; --version prints the version', async () => {
  for (const words of [['help', 'sevre'], ['constructor'], ['help', 'constructor']]) {
    const { status, stderr } = await runHere(words);
    expect(status, words.join(' ')).toBe(2);
    expect(stderr).toContain(`there is no command "${words.at(-1)}"`);
  }
  expect((await runHere(['help', 'verify'])).stdout).toContain('--base-url');
  const { version } = JSON.parse(
    await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as {
    version: string;
  };
  expect(run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('verify rejects invalid URLs and tokens without quoting the token', async () => {
  const verify = (baseUrl: string, token: string) =>
    runHere(['verify', '--base-url', baseUrl, '--agent-id', 'demo', '--token', token]);
  for (const address of ['ftp://x', 'http://ada:pass@x', 'http://x/?a=1', 'x']) {
    const { status, stderr } = await verify(address, 'good');
    expect(status, address).toBe(2);
    expect(stderr).toContain('--base-url must be the URL of a server');
  }
  const { status, stdout, stderr } = await verify('http://127.0.0.1:1', 'sec\nret');
  expect(status).toBe(2);
  expect(stderr).toContain('the token must consist of printable ASCII');
  expect(stdout + stderr).not.toContain('ret\n');
});

test('serve does not start without a way to verify tokens', () => {
  const { status, stderr } = run(['serve']);
  expect(status).toBe(1);
  expect(stderr).toContain('JWT_SECRET or JWKS_URL must be set');
});

/** Installs the built command in an app of its own, whose libraries are ours except for `other`. Returns its folder. */
function installApp(other: string): string {
  const app = join(directory, `other-${other}`);
  mkdirSync(join(app, 'node_modules'), { recursive: true });
  const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
  for (const name of readdirSync(packages)) {
    if (name !== other) symlinkSync(join(packages, name), join(app, 'node_modules', name));
  }
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  cpSync(dirname(builtCommand()), join(app, 'service'), { recursive: true });
  return app;
}

function serveFrom(app: string, environment: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, [join(app, 'service', 'cli.js'), 'serve'], {
    encoding: 'utf8',
    env: { DATA_DIR: join(app, 'data'), JWT_SECRET: secret, PORT: '0', ...environment },
    timeout: 20_000,
  });
}

test('an agent whose library is missing is reported with the command that installs it', () => {
  const app = installApp('openai');
  const file = join(app, 'agents.json');
  const agent = { id: 'harbour', kind: 'openai', base_url: 'https://models.example', model: 'm' };
  writeFileSync(file, JSON.stringify({ agents: [agent] }));
  const { status, stderr } = serveFrom(app, { AGENTS_FILE: file });
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(
    `agent-chat-service serve: AGENTS_FILE ${file}: agent "harbour": needs the package "openai", which is missing: npm install openai@6`,
  );
});

test('an app with an older driver of PostgreSQL is told so, also where the address is in a file', () => {
  const app = installApp('pg');
  mkdirSync(join(app, 'node_modules', 'pg'));
  writeFileSync(join(app, 'node_modules', 'pg', 'package.json'), '{"name":"pg","version":"7.18.2"}');
  const file = join(app, 'database-url');
  writeFileSync(file, 'postgres://127.0.0.1:1/chat');
  const { status, stderr } = serveFrom(app, {
    DATABASE_URL: '',
    DATABASE_URL_FILE: file,
    DATABASE_WAIT: '0',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('pg 7.18.2 is installed, pg@8 is needed');
});

test('serve that cannot listen says only why, and logs no stop', () => {
  const { status, stdout, stderr } = run(['serve'], { JWT_SECRET: secret, HOST: '192.0.2.1', PORT: '0' });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^agent-chat-service serve: HOST 192\.0\.2\.1 is not an address of this machine .*\n$/,
  );
  expect(stdout).not.toMatch(/stop/);
});

test('serve reports every invalid setting, one per line', () => {
  const { status, stderr } = run(['serve'], {
    JWT_SECRET: 'short',
    PORT: 'x',
    RUN_GRACE: '-1',
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'ftp://x',
    DATABASE_URL: 'mysql://x',
  });
  expect(status).toBe(1);
  for (const name of ['JWT_SECRET', 'PORT', 'RUN_GRACE', 'LOG_LEVEL', 'PUBLIC_URL', 'DATABASE_URL']) {
    expect(
      stderr.split('\n').filter((line) => line.includes(`${name} must`)),
      name,
    ).toHaveLength(1);
  }
});

test('token prints a token that the service accepts', async () => {
  const { status, stdout } = run(
    ['token', '--sub', 'ada', '--tenant', 'quay', '--scope', 'run,config', '--ttl', '10m'],
    { JWT_SECRET: secret },
  );
  expect(status).toBe(0);
  const claims = decodeJwt(stdout.trim());
  expect(claims).toMatchObject({ sub: 'ada', tenant_id: 'quay', scope: 'run config' });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600);
  const running = await startService();
  try {
    const response = await running.request('PUT', '/v1/hub/agents/demo/embedded-chat-config', {
      token: stdout.trim(),
      body: { layout: {} },
    });
    expect(response.status).toBe(200);
  } finally {
    await running.close();
  }
});

test('token reads the secret as the service does', async () => {
  const { stdout } = run(['token', '--sub', 'ada', '--tenant', 'quay'], { JWT_SECRET: `${secret} ` });
  await expect(jwtVerify(stdout.trim(), new TextEncoder().encode(secret))).resolves.toBeTruthy();
  const short = run(['token', '--sub', 'ada', '--tenant', 'quay'], { JWT_SECRET: 'short' });
  expect(short.status).toBe(1);
  expect(short.stdout).toBe('');
  expect(short.stderr).toContain('JWT_SECRET must have at least 32 characters');
});

test('token and key report missing and invalid options', async () => {
  for (const [words, text] of [
    [['token', '--tenant', 'quay'], '--sub is required'],
    [['token', '--sub', 'a'], '--tenant is required'],
    [['token', '--sub', 'a', '--tenant', 'b', '--scope', 'rum'], 'unknown scope "rum"'],
    [['token', '--sub', 'a', '--tenant', 'b', '--ttl', 'soon'], '--ttl must be a duration'],
    [['token', '--sub', 'key:x', '--tenant', 'b'], '--sub must have at most 256 characters and not begin'],
    [['token', '--sbu', 'a'], "Unknown option '--sbu'"],
    [['key', '--tenant', 't', '--scope', 'admin', '--scope', 'callback'], '--scope may be given only once'],
    [['key', '--tenant', 'quay'], '--scope is required'],
  ] as const) {
    const { status, stderr } = await runHere(words, { JWT_SECRET: secret });
    expect(status, text).toBe(2);
    expect(stderr).toContain(text);
  }
});

test('key creates a key that the service accepts; its entry contains only a hash', async () => {
  const { stdout } = run(['key', '--tenant', 'quay', '--scope', 'config', '--id', 'backend']);
  const [key = '', entry = ''] = stdout.trim().split('\n');
  expect(key).toMatch(/^ack_[\w-]{43}$/);
  expect(entry).not.toContain(key);
  const file = join(directory, 'keys.json');
  writeFileSync(file, `{"keys":[${entry}]}`);
  const running = await startService({ apiKeysFile: file });
  try {
    const response = await running.request('PUT', '/v1/hub/agents/demo/embedded-chat-config', {
      token: key,
      body: { layout: {} },
    });
    expect(response.status).toBe(200);
  } finally {
    await running.close();
  }
});

test('an invalid key file is rejected with a clear message', () => {
  const file = join(directory, 'wrong-keys.json');
  writeFileSync(file, '{"keys":[{"id":"a","hash":"plain","tenant_id":"quay","scope":"run"}]}');
  const { status, stderr } = run(['serve'], { JWT_SECRET: secret, API_KEYS_FILE: file });
  expect(status).toBe(1);
  expect(stderr).toContain('keys.0.hash must be "sha256:"');
});

test('migrate updates a database once', () => {
  const environment = { DATA_DIR: join(directory, 'fresh') };
  expect(run(['migrate'], environment).stdout).toContain('Done: 2026-01-first');
  expect(run(['migrate'], environment).stdout).toContain('up to date');
});
