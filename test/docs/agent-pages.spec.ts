import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { transform } from 'esbuild';
import { agentKinds } from '../../src/service/agents/agent-kinds.ts';
import { signingSecret, startBackend } from '../demo/backends/backend-process.ts';
import { collect, say, spelled, startService } from '../service/running-service.ts';
import { compile, hasTypes } from './compile.ts';
import { snippets } from './snippets.ts';

/* The pages "Plug in your agent" and "Use our service from another front end". Their JSON is run by aimock.spec.ts. */

const pages = ['demo/docs/agents.md', 'demo/docs/other-front-ends.md'];
const of = (language: string): string[] =>
  snippets(language).flatMap(({ document, text }) => (pages.includes(document) ? [text] : []));
const results = fileURLToPath(new URL('../.results/', import.meta.url));

test('the program for any front end gets an answer from a service', async () => {
  const [program = ''] = of('js');
  expect(program).toContain('https://chat.example.com/api/v1/agui/harbour');
  const running = await startService({ facades: ['agui'] });
  const directory = mkdtempSync(join(results, 'front-end-')); // beside the installed packages
  try {
    const file = join(directory, 'program.mjs');
    writeFileSync(
      file,
      program.replace('https://chat.example.com/api/v1/agui/harbour', `${running.address}/api/v1/agui/echo`),
    );
    const env = { ...process.env, TOKEN: await running.token() };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    expect(stdout.trim()).toBe('When is high water?');
  } finally {
    rmSync(directory, { recursive: true });
    await running.close();
  }
});

test('the guardrails of the page "Operate the service" mask an address and stop abuse', async () => {
  const file = snippets('json').find(({ text }) => text.includes('"guardrails"'))?.text ?? '';
  const directory = mkdtempSync(join(results, 'guardrails-'));
  writeFileSync(join(directory, 'agents.json'), file);
  const running = await startService({ agentsFile: join(directory, 'agents.json') });
  try {
    const client = running.client('ada');
    const masked = await collect(client.runStream(say('write to ada@example.com', { agent_id: 'echo' })));
    expect(spelled(masked)).toBe('write to [EMAIL]');
    const stopped = await collect(client.runStream(say('you fucking idiot', { agent_id: 'echo' })));
    expect(stopped.map(({ event }) => event)).toContain('run.failed');
  } finally {
    await running.close();
    rmSync(directory, { recursive: true });
  }
});

test('the module of the page in TypeScript compiles strictly', async () => {
  test.skip(!hasTypes, 'dist/ is not complete: npm run build');
  const [text = '', ...more] = of('ts').filter((own) => own.includes("'agent-chat-service'"));
  expect(more).toEqual([]);
  expect(await compile(new Map([['agent.ts', text]]))).toEqual([]);
});

test('the module of the page answers, also a client that sends its text as a string', async () => {
  const directory = mkdtempSync(join(results, 'module-'));
  writeFileSync(join(directory, 'agent.mjs'), of('mjs').at(-1) ?? '');
  const agents = [{ id: 'mine', kind: 'module', module: './agent.mjs' }];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  const running = await startService({ agentsFile: join(directory, 'agents.json') });
  try {
    const send = (more: object) => collect(running.client().runStream(say('Ahoy', more)));
    const first = await send({ message: { role: 'user', content: 'Ahoy' } });
    expect(spelled(first)).toBe('You said: Ahoy. You wrote 0 messages before.');
    const second = await send({ thread_id: String(first[0]?.data['thread_id']) });
    expect(spelled(second)).toBe('You said: Ahoy. You wrote 1 messages before.');
  } finally {
    await running.close();
    rmSync(directory, { recursive: true });
  }
});

test('the page names every kind of agent', () => {
  const page = readFileSync(new URL('../../demo/docs/agents.md', import.meta.url), 'utf8');
  const missing = Object.keys(agentKinds).filter((kind) => !page.includes(`\`${kind}\``));
  expect(missing, 'add a row to the first table of demo/docs/agents.md').toEqual([]);
});

test('the pieces of TypeScript can be read', async () => {
  const pieces = [...of('ts'), ...of('tsx')];
  expect(pieces).toHaveLength(3);
  for (const text of pieces) await transform(text, { loader: 'tsx' });
});

test('the pieces of Python can be read', () => {
  const isThere = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0;
  test.skip(!isThere, 'skipped: python3 is not installed');
  const pieces = of('python');
  expect(pieces.length).toBeGreaterThan(0);
  for (const input of pieces)
    execFileSync('python3', ['-c', 'import sys; compile(sys.stdin.read(), "piece", "exec")'], { input });
});

test('curl’s request gets an answer from a sample back end', async () => {
  const commands = of('sh').find((text) => text.includes('curl -N')) ?? '';
  const isThere = ['curl', 'openssl'].every(
    (name) => spawnSync(name, ['version'], { stdio: 'ignore' }).error === undefined,
  );
  test.skip(!isThere, 'skipped: curl or openssl is not installed');
  const backend = await startBackend('node', ['harbour.mjs', '0']);
  try {
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', commands.replace('http://localhost:9000/', backend.url)],
      { env: { ...process.env, SIGNING_SECRET: signingSecret } },
    );
    expect(stdout).toContain('{"text":"Ahoy. "}');
    expect(stdout).toContain('{"event":"done"}');
  } finally {
    backend.stop();
  }
});
