import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A browser may use a script for so long before it knows the next one. */
export const maxStaleSeconds = 7 * 24 * 3600;
/** Pages that were opened with a stale script need its chunks for a while longer. */
const retentionMs = (maxStaleSeconds + 24 * 3600) * 1000;
/** Number of releases to keep however old they are, including the current one. */
const minReleases = 3;

interface Release {
  readonly id: string;
  readonly version: string;
  readonly chunks: readonly string[];
  /** Unix time in ms; absent in the current release, and in those that earlier versions of this service retained. */
  readonly replacedAt?: number;
}

/**
 * Copies the current script and its chunks next to those of earlier releases, so pages opened before an
 * update can still load their chunks. Chunk names contain a hash, so they never change.
 * @param directory the current build
 * @param kept directory of the releases; created if missing
 * @returns whether a release was added
 * @throws when a file cannot be read or written
 */
export async function retainRelease(directory: string, kept: string, version: string): Promise<boolean> {
  const script = await readFile(join(directory, 'agent-chat.js'));
  const chunks = (await readdir(join(directory, 'chunks'))).filter((name) => name.endsWith('.js'));
  const id = createHash('sha256').update(script).update(chunks.sort().join('\n')).digest('base64url');
  const before = await readReleases(kept);
  if (before[0]?.id === id) return false;

  await mkdir(join(kept, 'chunks'), { recursive: true });
  await mkdir(join(kept, version), { recursive: true });
  for (const name of chunks) await copyFile(join(directory, 'chunks', name), join(kept, 'chunks', name));
  await writeFile(join(kept, version, 'agent-chat.js'), script);
  const replacedAt = Date.now();
  const earlier = before.filter((release) => release.id !== id);
  const releases: Release[] = [
    { id, version, chunks },
    ...earlier.map((release, at) => (at === 0 ? { ...release, replacedAt } : release)),
  ];
  const isNeeded = (release: Release, at: number): boolean =>
    at < minReleases || replacedAt - (release.replacedAt ?? 0) < retentionMs;
  const staying = releases.filter(isNeeded);
  await writeFile(join(kept, 'releases.json'), JSON.stringify(staying));

  const needed = new Set(staying.flatMap((release) => release.chunks));
  const versions = new Set(staying.map((release) => release.version));
  for (const old of releases.filter((release) => !staying.includes(release))) {
    for (const name of old.chunks)
      if (!needed.has(name)) await rm(join(kept, 'chunks', name), { force: true });
    if (!versions.has(old.version)) await rm(join(kept, old.version), { recursive: true, force: true });
  }
  return true;
}

async function readReleases(kept: string): Promise<readonly Release[]> {
  try {
    return JSON.parse(await readFile(join(kept, 'releases.json'), 'utf8')) as readonly Release[]; // written by `retainRelease`
  } catch {
    return [];
  }
}
