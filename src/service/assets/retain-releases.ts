import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Releases of the script whose parts are kept, the present one included. */
const maxReleases = 3;

interface Release {
  readonly id: string;
  readonly version: string;
  readonly chunks: readonly string[];
}

/**
 * Copies the script and its parts beside those of former releases, so that a page that was opened before an update
 * still finds the parts it was made with. Parts carry their hash in their name and never change.
 * @param directory where the present release was built
 * @param kept where releases are kept; made when missing
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
  const releases = [{ id, version, chunks }, ...before.filter((release) => release.id !== id)];
  const staying = releases.slice(0, maxReleases);
  await writeFile(join(kept, 'releases.json'), JSON.stringify(staying));

  const needed = new Set(staying.flatMap((release) => release.chunks));
  const versions = new Set(staying.map((release) => release.version));
  for (const old of releases.slice(maxReleases)) {
    for (const name of old.chunks)
      if (!needed.has(name)) await rm(join(kept, 'chunks', name), { force: true });
    if (!versions.has(old.version)) await rm(join(kept, old.version), { recursive: true, force: true });
  }
  return true;
}

async function readReleases(kept: string): Promise<readonly Release[]> {
  try {
    return JSON.parse(await readFile(join(kept, 'releases.json'), 'utf8')) as readonly Release[]; // written above
  } catch {
    return [];
  }
}
