import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A sample back end in a process of its own. */
export interface BackendProcess {
  readonly url: string;
  stop(): void;
}

export const signingSecret = 'a secret of the back ends in tests';

/** Commands of the runtimes that a sample may need. */
const runtimes = {
  node: process.execPath,
  python3: 'python3',
} as const;
export type Runtime = keyof typeof runtimes;

/** Whether a runtime is installed. @param module a Python module that it needs */
export function hasRuntime(runtime: Runtime, module?: string): boolean {
  const args = module === undefined ? ['--version'] : ['-c', `import ${module}`];
  return spawnSync(runtimes[runtime], args, { stdio: 'ignore' }).status === 0;
}

/** Starts a sample of `demo/backends`, which prints "listening on <port>". */
export function startBackend(runtime: Runtime, args: readonly string[]): Promise<BackendProcess> {
  const directory = fileURLToPath(new URL('../../../demo/backends', import.meta.url));
  const child = spawn(runtimes[runtime], args, {
    cwd: directory,
    env: { ...process.env, SIGNING_SECRET: signingSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const port = /listening on (\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve({ url: `http://127.0.0.1:${port}/`, stop: () => void child.kill() });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the back end ended with ${code}`)));
  });
}
