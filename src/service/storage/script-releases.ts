import { sql } from 'kysely';
import type { Database, Store } from './store.ts';

/** A file of a release: its path, and the SHA-256 of its content, base64. */
export type ReleaseFile = readonly [path: string, hash: string];

/** A release of the widget's script, with all of its files. */
export interface StoredRelease {
  readonly id: string;
  readonly files: readonly ReleaseFile[];
  /** When the next one came, in ms since the epoch; undefined for the current one. */
  readonly replacedAt: number | undefined;
}

/** How long a release is kept after the next one, in ms. */
const retentionMs = 8 * 24 * 3600_000;
/** Number of releases to keep however old they are, including the current one. */
const minReleases = 3;

/** Returns the retained releases, the current one first. */
export async function listReleases(database: Database): Promise<readonly StoredRelease[]> {
  const rows = await database.selectFrom('script_releases').selectAll().execute();
  return rows
    .map(({ id, files, replaced_on }) => ({
      id,
      files: JSON.parse(files) as readonly ReleaseFile[], // written by `addRelease`
      replacedAt: replaced_on ?? undefined,
    }))
    .sort((one, other) => (other.replacedAt ?? Infinity) - (one.replacedAt ?? Infinity));
}

/** Stores the release that this instance has as the current one, and removes those that no page needs any more. */
export async function addRelease(
  store: Pick<Store, 'engine' | 'transaction'>,
  release: Pick<StoredRelease, 'id' | 'files'>,
  contentOf: (file: ReleaseFile) => Uint8Array,
): Promise<void> {
  const { id, files } = release;
  const now = Date.now();
  await store.transaction(async (database) => {
    if (store.engine === 'postgres')
      // several instances start at once
      await sql`select pg_advisory_xact_lock(hashtext('agent-chat script releases'))`.execute(database);
    const before = await listReleases(database);
    const stored = new Set(before.flatMap((one) => one.files.map(keyOf)));
    const added = files.filter((file) => !stored.has(keyOf(file)));
    if (added.length > 0) {
      await database
        .insertInto('script_files')
        .values(added.map((file) => ({ path: file[0], hash: file[1], body: Buffer.from(contentOf(file)) })))
        .execute();
    }
    await database
      .updateTable('script_releases')
      .set({ replaced_on: now })
      .where('replaced_on', 'is', null)
      .where('id', '!=', id)
      .execute();
    await database
      .insertInto('script_releases')
      .values({ id, files: JSON.stringify(files), replaced_on: null })
      .onConflict((clash) => clash.column('id').doUpdateSet({ replaced_on: null }))
      .execute();
    await removeOld(database, now);
  });
}

/** Returns the content of a file of a retained release. */
export async function readReleaseFile(
  database: Database,
  [path, hash]: ReleaseFile,
): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('script_files')
    .select('body')
    .where('path', '=', path)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row && Buffer.from(row.body);
}

async function removeOld(database: Database, now: number): Promise<void> {
  const releases = await listReleases(database);
  const isOld = ({ replacedAt = now }: StoredRelease, index: number): boolean =>
    index >= minReleases && now - replacedAt >= retentionMs;
  const needed = new Set(
    releases.flatMap((release, index) => (isOld(release, index) ? [] : release.files.map(keyOf))),
  );
  for (const release of releases.filter(isOld)) {
    await database.deleteFrom('script_releases').where('id', '=', release.id).execute();
    for (const file of release.files.filter((one) => !needed.has(keyOf(one))))
      await database
        .deleteFrom('script_files')
        .where('path', '=', file[0])
        .where('hash', '=', file[1])
        .execute();
  }
}

function keyOf([path, hash]: ReleaseFile): string {
  return `${path} ${hash}`;
}
