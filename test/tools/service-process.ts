import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/service/cli.js', import.meta.url));

/** The built playground in a process of its own, on a free loopback port, with its own database. */
export class ServiceProcess {
  readonly port: number;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, folder: string, environment: Readonly<Record<string, string>>) {
    this.port = port;
    this.#folder = folder;
    this.#environment = environment;
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'agent-chat-'));
    const service = new ServiceProcess(await freePort(), folder, environment);
    await service.startAgain();
    return service;
  }

  /** Kills the process, like a crash. Port and database are kept for `startAgain`. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Starts a process on the same port with the same database. Without `JWT_SECRET`, former tokens are invalid. */
  async startAgain(): Promise<void> {
    const child = spawn(process.execPath, [command, 'playground'], {
      env: {
        ...process.env,
        PORT: String(this.port),
        DATA_DIR: this.#folder,
        LOG_LEVEL: 'warn',
        ...this.#environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let output = '';
    child.stdout.on('data', (text) => (output += String(text)));
    child.stderr.on('data', (text) => (output += String(text)));
    for (let tries = 0; tries < 200; tries += 1) {
      if (child.exitCode !== null) throw new Error(`the service ended at once:\n${output}`);
      const answer = await fetch(`${this.origin}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await this.stop();
    throw new Error(`the service did not get ready:\n${output}`);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The same service under another origin. */
  get otherOrigin(): string {
    return `http://localhost:${this.port}`;
  }

  /** Requests a token from the playground's endpoint. */
  async token(): Promise<string> {
    const answer = (await (await fetch(`${this.origin}/demo/token`)).json()) as { token: string };
    return answer.token;
  }

  async stop(): Promise<void> {
    await this.kill();
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
