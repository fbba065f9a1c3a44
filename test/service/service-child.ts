import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createAgentClient, type AgentClient } from '../../src/client/index.ts';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { everyScope, secret } from './running-service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let built: string | undefined;

/** Gives the path of the service's command: `npm test` has built it; otherwise each worker builds the sources once. */
export function builtCommand(): string {
  if (process.env['SERVICE_BUILT'] === '1') return `${root}dist/service/cli.js`;
  if (built !== undefined) return built;
  const directory = `${root}test/.results/service-${process.pid}`;
  mkdirSync(directory, { recursive: true });
  const result = spawnSync(
    process.execPath,
    [
      `${root}node_modules/vite/bin/vite.js`,
      'build',
      '--mode',
      'service',
      '--outDir',
      directory,
      '--logLevel',
      'error',
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (!existsSync(`${directory}/cli.js`))
    throw new Error(`the service could not be built:\n${result.stdout}${result.stderr}`);
  return (built = `${directory}/cli.js`);
}

/** A service in a process of its own, which can be killed. */
export interface ServiceChild {
  readonly address: string;
  readonly process: ChildProcess;
  client(subject?: string): AgentClient;
  /** What it has logged so far. */
  readonly log: readonly string[];
  /** `kill -9`, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `agent-chat-service serve`, or another command, and waits until it listens. */
export async function startChild(
  environment: Readonly<Record<string, string>>,
  command: 'serve' | 'playground' = 'serve',
): Promise<ServiceChild> {
  const child = spawn(process.execPath, [builtCommand(), command], {
    env: {
      PATH: process.env['PATH'],
      JWT_SECRET: secret,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT: '0',
      RUN_LIMIT: '0',
      DRAIN_TIMEOUT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stderr.on('data', (text) => log.push(String(text)));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.push(line);
      const found = /Server listening at (http:\/\/[\d.:]+)/.exec(line)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${log.join('\n')}`)));
  });
  return {
    address,
    process: child,
    log,
    client: (subject = 'ada') =>
      createAgentClient({
        baseUrl: address,
        tokenProvider: () => signToken(secret, { subject, tenantId: 'quay', scopes: everyScope }, 600),
      }),
    kill(signal = 'SIGKILL') {
      child.kill(signal);
      return gone;
    },
  };
}
