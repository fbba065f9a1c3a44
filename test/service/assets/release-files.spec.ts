import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { ReleaseFiles } from '../../../src/service/assets/release-files.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openPostgres } from '../../../src/service/storage/open-postgres.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { startPostgres, type Postgres } from '../postgres.ts';

const day = 24 * 3600_000;
let directory: string;
let cluster: Postgres | undefined;

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-releases-'));
  cluster = await startPostgres();
});
test.afterAll(async () => {
  await cluster?.stop();
  rmSync(directory, { recursive: true });
});

/** Builds a release with one chunk. Not all of its bytes are text. */
function build(name: string, chunk = `panel-${name}.js`): string {
  const built = join(directory, name);
  mkdirSync(join(built, 'chunks'), { recursive: true });
  writeFileSync(join(built, 'agent-chat.js'), `// ${name}`);
  writeFileSync(join(built, 'chunks', chunk), Buffer.from([0, 255, 10, ...Buffer.from(name)]));
  return built;
}

/** Lets a day pass. */
async function nextDay({ database }: Store): Promise<void> {
  await database
    .updateTable('script_releases')
    .set(({ eb }) => ({ replaced_on: eb('replaced_on', '-', day) }))
    .where('replaced_on', 'is not', null)
    .execute();
}

const opened: Readonly<Record<string, () => Promise<Store | undefined>>> = {
  'the embedded database': async () => openSqlite(mkdtempSync(join(directory, 'data-'))),
  PostgreSQL: async () => cluster && openPostgres(await cluster.createDatabase(), () => undefined),
};

for (const [name, open] of Object.entries(opened))
  test.describe(`in ${name}`, () => {
    let store: Store;
    test.beforeEach(async () => {
      const one = await open();
      test.skip(!one, 'there is no PostgreSQL here');
      if (one) store = one;
      await migrate(store);
    });
    test.afterEach(async () => store?.close());

    test('with a release a day, files stay for eight days after the next one', async () => {
      const releases = new ReleaseFiles(store);
      for (let at = 1; at <= 12; at += 1) {
        expect(await releases.add(build(`${at}`), `1.${at}.0`)).toBe(true);
        expect(await releases.add(build(`${at}`), `1.${at}.0`)).toBe(false);
        const { length } = await store.database.selectFrom('script_files').select('path').execute();
        expect(length, `day ${at}`).toBe(2 * Math.min(at, 9));
        await nextDay(store);
      }
      const late = new ReleaseFiles(store); // an instance with an empty cache
      for (const [at, isThere] of [
        [3, false],
        [4, true],
        [12, true],
      ] as const) {
        expect((await late.find(`chunks/panel-${at}.js`)) !== undefined, `${at}`).toBe(isThere);
        expect((await late.find(`1.${at}.0/agent-chat.js`))?.body.toString(), `${at}`).toBe(
          isThere ? `// ${at}` : undefined,
        );
      }
      expect((await late.find('chunks/panel-4.js'))?.body).toEqual(Buffer.from([0, 255, 10, 52]));
    });

    test('the last three releases stay however old they are, and one that comes back is the current one', async () => {
      const releases = new ReleaseFiles(store);
      for (const at of ['1', '2', '3', '1']) {
        expect(await releases.add(build(at), `1.${at}.0`)).toBe(true);
        for (let days = 0; days < 20; days += 1) await nextDay(store);
      }
      await releases.add(build('4'), '1.4.0');
      const late = new ReleaseFiles(store);
      for (const at of ['1', '3', '4']) expect(await late.find(`chunks/panel-${at}.js`), at).toBeDefined();
      expect(await late.find('chunks/panel-2.js')).toBeUndefined();
    });

    test('an instance finds the files of a newer release that another one has added', async () => {
      const older = new ReleaseFiles(store);
      await older.add(build('older'), '1.0.0');
      await new ReleaseFiles(store).add(build('newer'), '1.0.1');
      await wait(1100); // an unknown path leads to one look a second
      expect(await older.find('chunks/panel-newer.js')).toBeDefined();
      expect(await older.find('1.0.1/agent-chat.js')).toBeDefined();
    });

    test('several instances add the same release at once', async () => {
      const built = build('same');
      const added = await Promise.all([1, 2, 3, 4].map(() => new ReleaseFiles(store).add(built, '1.0.0')));
      expect(added).toContain(true);
      expect(await store.database.selectFrom('script_files').select('path').execute()).toHaveLength(2);
      expect(await store.database.selectFrom('script_releases').select('id').execute()).toHaveLength(1);
    });

    test('a script that is built again with the same version is found by its hash, and by its path as it is now', async () => {
      const releases = new ReleaseFiles(store);
      await releases.add(build('first'), '1.0.0');
      const former = await releases.find('1.0.0/agent-chat.js');
      const late = new ReleaseFiles(store);
      await late.add(build('second'), '1.0.0');
      expect((await late.find('1.0.0/agent-chat.js'))?.body.toString()).toBe('// second');
      const found = await late.findByHash(former?.hash ?? '');
      expect(found?.asset.body.toString()).toBe('// first');
    });

    test('a file that was away for a moment is found again', async () => {
      const releases = new ReleaseFiles(store);
      await releases.add(build('away'), '1.0.0');
      const files = await store.database.selectFrom('script_files').selectAll().execute();
      await store.database.deleteFrom('script_files').execute();
      expect(await releases.find('chunks/panel-away.js')).toBeUndefined();
      const stored = files.map((file) => ({ ...file, body: Buffer.from(file.body) }));
      await store.database.insertInto('script_files').values(stored).execute();
      expect(await releases.find('chunks/panel-away.js')).toBeDefined();
    });

    test('many unknown paths lead to one look into the database', async () => {
      const releases = new ReleaseFiles(store);
      await releases.add(build('one'), '1.0.0');
      await wait(1100);
      let looks = 0;
      const { database } = store;
      const counting = new ReleaseFiles({
        ...store,
        get database() {
          looks += 1;
          return database;
        },
      });
      const found = await Promise.all([...Array(50).keys()].map((at) => counting.find(`chunks/x-${at}.js`)));
      expect(found.filter(Boolean)).toEqual([]);
      expect(looks).toBe(1);
    });
  });
