import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { startPostgres } from '../service/postgres.ts';
import { everyScope, say, secret, until } from '../service/running-service.ts';
import { startChild, type ServiceChild } from '../service/service-child.ts';
import { freePort } from '../tools/free-port.ts';
import { figure } from './figures.ts';

const text = 'The ferry leaves at noon, and again at four.';
/** How an answer ended. */
type End = 'whole' | 'refused' | 'cut';

/** Starts nginx with the shipped file; only addresses differ. */
async function startNginx(
  directory: string,
  ports: readonly number[],
): Promise<{ port: number; process: ChildProcess }> {
  const port = await freePort();
  const shipped = readFileSync(new URL('../../demo/deploy/nginx.conf', import.meta.url), 'utf8');
  const server = shipped
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/^ *resolver .*$/m, '')
    .replace('set $agent_chat chat:8787;', 'set $agent_chat instances;');
  // as an address that Docker's DNS answers with: nginx remembers nothing about it
  const instances = ports.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' ');
  for (const folder of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(directory, folder));
  const paths = `client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
    fastcgi_temp_path ${directory}/fastcgi; uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;`;
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; user root; pid ${directory}/pid; error_log ${directory}/error.log;
     events {} http { access_log off; ${paths} upstream instances { ${instances} } ${server} }`,
  );
  const child = spawn('nginx', ['-p', directory, '-c', 'nginx.conf', '-e', `${directory}/error.log`], {
    stdio: 'ignore',
  });
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      ),
    20_000,
  );
  return { port, process: child };
}

test('a rolling restart behind the shipped nginx.conf cuts no answer', async () => {
  test.setTimeout(400_000);
  test.skip(spawnSync('nginx', ['-v']).error !== undefined, 'nginx is not installed');
  const postgres = await startPostgres();
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  if (!postgres) return;
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-rolling-'));
  const databaseUrl = await postgres.createDatabase();
  const ports = [await freePort(), await freePort()];
  const start = (place: number): Promise<ServiceChild> =>
    startChild({
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(directory, String(place)),
      PORT: String(ports[place]),
      DRAIN_TIMEOUT: '60',
      TRUST_PROXY: '1',
    });
  const instances = [await start(0), await start(1)];
  const nginx = await startNginx(directory, ports);
  const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 3_600);
  const ask = async (): Promise<End> => {
    try {
      const response = await fetch(`http://127.0.0.1:${nginx.port}/api/v1/hub/runs/stream`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(say(text, { agent_id: 'echo', additional_parameters: { delay_ms: 150 } })),
      });
      const answer = await response.text();
      if (response.status !== 200) return 'refused';
      return answer.includes('run.completed') && answer.includes('"done"') ? 'whole' : 'cut';
    } catch {
      return 'cut';
    }
  };
  try {
    const answers: Promise<End>[] = [];
    let isOver = false;
    const timer = setInterval(() => {
      if (!isOver || answers.length < 200) answers.push(ask());
    }, 100);
    const readiness: number[] = [];
    for (const place of [0, 1]) {
      await until(() => answers.length >= 40 * (place + 1), 60_000);
      const began = performance.now();
      const gone = instances[place]?.kill('SIGTERM');
      await until(async () => {
        const answer = await fetch(`http://127.0.0.1:${ports[place]}/readyz`).catch(() => undefined);
        return answer?.status !== 200;
      });
      readiness.push(performance.now() - began);
      expect(await gone).toBe(0);
      instances[place] = await start(place);
    }
    isOver = true;
    await until(() => answers.length >= 200, 60_000);
    clearInterval(timer);
    const ends = await Promise.all(answers);
    const count = (end: End): number => ends.filter((one) => one === end).length;
    figure('answers', String(ends.length), '≥ 200');
    figure('cut', String(count('cut')), '0');
    figure('refused', String(count('refused')), '0');
    figure('not ready after SIGTERM', `${Math.max(...readiness).toFixed(0)} ms`, 'at once');
    expect(ends.length).toBeGreaterThanOrEqual(200);
    expect({ cut: count('cut'), refused: count('refused') }).toEqual({ cut: 0, refused: 0 });
  } finally {
    for (const instance of instances) await instance.kill();
    nginx.process.kill('SIGTERM');
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
