import { execFile, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../tools/free-port.ts';

const run = promisify(execFile);
const installRoot = '/usr/lib/postgresql';
const clusters = fileURLToPath(new URL('../../node_modules/.cache/postgres/', import.meta.url));

/** A PostgreSQL of the suite's own, on a loopback port, in a temporary directory. */
export interface Postgres {
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>;
  /** Ends the server as a crash would: at once. */
  stop(): Promise<void>;
}

/** Returns the directory of the programs of PostgreSQL, if it is installed. */
function findPrograms(): string | undefined {
  if (!existsSync(installRoot) && process.env['CI'] && process.getuid?.() === 0) {
    spawnSync('apt-get', ['update', '-qq'], { timeout: 60_000 });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], {
      timeout: 180_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const versions = existsSync(installRoot)
    ? readdirSync(installRoot).sort((one, other) => Number(other) - Number(one))
    : [];
  return versions
    .map((version) => join(installRoot, version, 'bin'))
    .find((path) => existsSync(join(path, 'initdb')));
}

/**
 * Starts a cluster. Where that is impossible, logs in one line why, and returns `undefined`.
 * @param more further settings, as `name=value`
 */
export async function startPostgres(more: readonly string[] = []): Promise<Postgres | undefined> {
  const bin = findPrograms();
  if (bin === undefined) {
    console.log('PostgreSQL is not installed (apt-get install postgresql): its tests are skipped');
    return undefined;
  }
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-postgres-'));
  const user = await otherUser();
  const as = user ? { uid: user.uid, gid: user.gid } : {};
  if (user) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const port = await freePort();
  const options = { ...as, cwd: directory, env: { ...process.env, LC_ALL: 'C' } };
  try {
    await makeCluster(bin, data, options);
    const settings = `-h 127.0.0.1 -p ${port} -k ${directory} -c max_connections=200${more.map((one) => ` -c ${one}`).join('')}`;
    await run(
      join(bin, 'pg_ctl'),
      ['-D', data, '-o', settings, '-l', join(directory, 'log'), '-w', 'start'],
      options,
    );
  } catch (fault) {
    rmSync(directory, { recursive: true, force: true });
    console.log(`PostgreSQL did not start: ${String(fault).split('\n')[0]}`);
    return undefined;
  }
  let count = 0;
  return {
    async createDatabase() {
      const name = `chat_${(count += 1)}`;
      await run(
        join(bin, 'createdb'),
        ['-h', '127.0.0.1', '-p', String(port), '-U', 'tester', name],
        options,
      );
      return `postgres://tester@127.0.0.1:${port}/${name}`;
    },
    async stop() {
      await run(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], options).catch(() => undefined);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Copies a cluster that the first who needs it has made: that takes a second of a processor each time. */
async function makeCluster(bin: string, data: string, options: object): Promise<void> {
  const words = ['-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  const template = join(clusters, basename(dirname(bin)));
  if (!existsSync(template)) {
    await run(join(bin, 'initdb'), ['-D', data, ...words], options);
    mkdirSync(clusters, { recursive: true });
    const draft = `${template}.${process.pid}`;
    await run('cp', ['-a', data, draft]);
    // another worker may have been first
    await rename(draft, template).catch(() => rm(draft, { recursive: true }));
  } else await run('cp', ['-a', template, data]);
}

/** PostgreSQL refuses to run as root: its own user, or nobody. */
async function otherUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const id = async (flag: string): Promise<number> => Number((await run('id', [flag, name])).stdout);
    try {
      return { uid: await id('-u'), gid: await id('-g') };
    } catch {
      continue;
    }
  }
  return undefined;
}
