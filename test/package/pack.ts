import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The project's root. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Whether everything that is packed has been built. */
export const isBuilt = [
  'agent-chat.js',
  'lib/agent-chat.js',
  'types/widget/define.d.ts',
  'service/cli.js',
].every((file) => existsSync(`${root}dist/${file}`));

/** Packs the built package as it would be published. Returns the file and an empty folder. */
export async function pack(): Promise<{ tarball: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-chat-pack-'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return { tarball: join(folder, packed?.filename ?? ''), folder };
}

/** Runs a program in a folder. Returns the output of both streams, and whether the program succeeded. */
export async function runIn(
  folder: string,
  program: string,
  words: readonly string[],
): Promise<{ output: string; good: boolean }> {
  try {
    const { stdout, stderr } = await run(program, [...words], { cwd: folder, maxBuffer: 20_000_000 });
    return { output: stdout + stderr, good: true };
  } catch (fault) {
    const { stdout = '', stderr = '' } = fault as { stdout?: string; stderr?: string }; // what execFile rejects with
    return { output: stdout + stderr, good: false };
  }
}
