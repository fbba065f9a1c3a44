import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/service/cli.js', import.meta.url));

/** The built playground in a process of its own, on a free loopback port, with a store of its own. */
export class ServiceProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'agent-chat-'));
    const child = spawn(process.execPath, [command, 'playground'], {
      env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (text) => (output += String(text)));
    child.stderr.on('data', (text) => (output += String(text)));
    const service = new ServiceProcess(port, child, folder);
    for (let tries = 0; tries < 200; tries += 1) {
      if (child.exitCode !== null) throw new Error(`the service ended at once:\n${output}`);
      const answer = await fetch(`${service.origin}/readyz`).catch(() => undefined);
      if (answer?.ok) return service;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await service.stop();
    throw new Error(`the service did not get ready:\n${output}`);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The same service under another origin. */
  get otherOrigin(): string {
    return `http://localhost:${this.port}`;
  }

  /** A token as the playground's server gives it. */
  async token(): Promise<string> {
    const answer = (await (await fetch(`${this.origin}/demo/token`)).json()) as { token: string };
    return answer.token;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
