import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { LiveReader } from '../../../src/service/runs/live-reader.ts';
import { LiveRun } from '../../../src/service/runs/live-run.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { start, type StoredEvent } from '../../../src/service/storage/run-events.ts';

const newRun = (): LiveRun => new LiveRun({ id: 'R', thread_id: 'T' }, () => undefined);

/** The nth event, of about ten kibibytes. */
function large(place: number): StoredEvent {
  return { ms: place, sequence: 0, event: 'message.delta', json: `{"text":"${'x'.repeat(10_240)}"}` };
}

test('a reader gets about 64 KiB at a time, and everything in order', () => {
  const live = newRun();
  for (let place = 1; place <= 20; place += 1) live.publish(large(place));
  const seen: number[] = [];
  let cursor = start;
  for (let given = live.after(cursor); given && given.length > 0; given = live.after(cursor)) {
    expect(given.length).toBeLessThanOrEqual(7);
    seen.push(...given.map(({ ms }) => ms));
    cursor = given.at(-1) ?? cursor;
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, place) => place + 1));
});

test('stored events leave the memory to later ones', () => {
  const live = newRun();
  for (let place = 1; place <= 20; place += 1) live.publish(large(place));
  live.settle();
  expect(live.after(start)).toBeUndefined();
  for (let place = 21; place <= 40; place += 1) live.publish(large(place));
  expect(live.after({ ms: 20, sequence: 0 })?.[0]?.ms).toBe(21);
});

test('a slow reader of a deleted run gets its end instead of waiting', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-deleted-'));
  const store = openSqlite(directory);
  try {
    await migrate(store);
    const live = newRun();
    live.publish(large(1));
    live.publish(large(2));
    live.end();
    live.settle();
    const reader = new LiveReader(store, live, { ms: 1, sequence: 0 });
    const told = await reader.read();
    expect(told?.map(({ event }) => event)).toEqual(['run.cancelled', 'done']);
    expect(told?.every(({ ms }) => ms > 1)).toBe(true);
    expect(reader.read()).toBeUndefined();
  } finally {
    await store.close();
    rmSync(directory, { recursive: true });
  }
});
