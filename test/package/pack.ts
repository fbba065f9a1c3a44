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

/** The two packages, as they would be published. */
export interface Packed {
  /** An own temporary folder; the caller removes it. */
  readonly folder: string;
  /** Tarballs. */
  readonly widget: string;
  readonly service: string;
  /** The same, as folders. */
  readonly widgetFolder: string;
  readonly serviceFolder: string;
}

/** Packs the built packages. */
export async function pack(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-chat-pack-'));
  const { stdout } = await run(process.execPath, ['test/tools/pack.js', folder], { cwd: root });
  const [widget = '', service = ''] = [...stdout.matchAll(/^\S+\.tgz/gm)].map(([file]) => file);
  const widgetFolder = join(folder, '.staged/agent-chat');
  return { folder, widget, service, widgetFolder, serviceFolder: join(folder, '.staged/agent-chat-service') };
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
