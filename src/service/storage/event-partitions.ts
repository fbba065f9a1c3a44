import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Days for which partitions exist ahead: inserts into a missing one fail. */
const daysAhead = 3;
/** Dropping a partition waits for its readers at most this long, because new readers wait behind it. */
const lockLimit = '500ms';
const daySeconds = 86_400;

/** A partition of `run_events`: all events that were stored up to the end of a day. */
interface Partition {
  readonly name: string;
  /** Days since the epoch. */
  readonly lastDay: number;
}

/** The engine's clock, in days since the epoch. */
export const dayClock = sql<number>`floor(extract(epoch from clock_timestamp()) / ${sql.lit(daySeconds)})::integer`;

/** Creates the partitions of the coming days. Several instances may do so at once. */
export async function createPartitions({ transaction }: Pick<Store, 'transaction'>): Promise<void> {
  await transaction(async (database) => {
    const today = (await sql<{ day: number }>`select ${dayClock} as day`.execute(database)).rows[0]?.day ?? 0;
    const covered = async (): Promise<number> =>
      Math.max(today - 1, ...(await partitionsOf(database)).map(({ lastDay }) => lastDay));
    if ((await covered()) >= today + daysAhead) return;
    await sql`select pg_advisory_xact_lock(hashtext('agent-chat partitions'))`.execute(database);
    for (let day = (await covered()) + 1; day <= today + daysAhead; day += 1) {
      await sql`
        create table ${sql.ref(`run_events_day_${day}`)} partition of run_events
        for values from (${sql.lit(day)}) to (${sql.lit(day + 1)})`.execute(database);
    }
  });
}

/**
 * Drops the partitions whose events have expired, however many they hold. Those with events of a run that is still
 * active stay.
 */
export async function dropPartitions(
  { database, transaction }: Pick<Store, 'database' | 'transaction'>,
  ttlSeconds: number,
): Promise<void> {
  const { rows } = await sql<{ day: number }>`
    select floor(least(extract(epoch from clock_timestamp()) - ${sql.lit(ttlSeconds)},
      (select min(created_on) / 1000 from runs where status = 'running')) / ${sql.lit(daySeconds)})::integer as day
    `.execute(database);
  const firstKept = rows[0]?.day ?? 0;
  for (const { name, lastDay } of await partitionsOf(database)) {
    if (lastDay >= firstKept) continue;
    await transaction(async (on) => {
      await sql`set local lock_timeout = ${sql.lit(lockLimit)}`.execute(on);
      await sql`drop table if exists ${sql.ref(name)}`.execute(on);
    });
  }
}

/** How long ago the events of the oldest partition expired, in seconds; 0: they have not. */
export async function overduePartitions(
  { database }: Pick<Store, 'database'>,
  ttlSeconds: number,
): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select extract(epoch from clock_timestamp())::float8 as now`.execute(database);
  const days = (await partitionsOf(database)).map(({ lastDay }) => lastDay);
  const expired = (Math.min(...days) + 1) * daySeconds + ttlSeconds;
  return Math.max(0, (rows[0]?.now ?? 0) - expired);
}

async function partitionsOf(database: Store['database']): Promise<readonly Partition[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits join pg_class as child on child.oid = inhrelid
    where inhparent = 'run_events'::regclass`.execute(database);
  return rows.flatMap(({ name }) => {
    const day = /^run_events_(?:day|until)_(\d+)$/.exec(name)?.[1];
    return day === undefined ? [] : [{ name, lastDay: Number(day) }];
  });
}
