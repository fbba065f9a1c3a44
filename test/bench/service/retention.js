import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CompiledQuery } from 'kysely';

/** Runs whose events are gone, runs that keep theirs, and the events of each of the latter, in rows of ten. */
const old = 200_000;
const recent = 46_000;
const eventsOfRun = 50;
/** Runs that expire. */
const expiring = 1_000;
const settings = { runEventsTtl: 86_400, threadTtl: 0 };

/**
 * Measures a sweep over 200,000 old runs and 2.3 million events that stay, and one in which the events of 1,000 runs
 * have expired: its duration, and how long it blocked the event loop at most.
 */
export async function measureRetention(store, sweep) {
  await seed(store);
  const idle = [];
  for (let round = 0; round < 5; round += 1) idle.push(await timed(() => sweep(store, settings)));
  const sqlite = store.engine === 'sqlite';
  if (!sqlite) return { idleSweepMs: middle(idle) };
  await run(
    store,
    `update runs set ended_on = 1 where id in (select id from runs where has_events = 1 limit ${expiring})`,
  );
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const removing = await timed(() => sweep(store, settings));
  delay.disable();
  return {
    idleSweepMs: middle(idle),
    removingMs: removing,
    longestBlockMs: delay.max / 1e6,
  };
}

function middle(figures) {
  return figures.sort((one, other) => one - other)[Math.floor(figures.length / 2)];
}

async function seed(store) {
  const sqlite = store.engine === 'sqlite';
  const numbers = (count) =>
    sqlite
      ? `(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count}) select n from n) as numbers`
      : `generate_series(1, ${count}) as numbers(n)`;
  const runs = (prefix, count, endedOn, extra) => `
    insert into runs (id, thread_id, tenant_id, author, agent_id, status, message_id, owner, lease_until,
      cancel_requested, reader_seen, created_on, ended_on${extra.column})
    select '${prefix}' || n, 'thread', 'bench', 'bench', 'echo', 'completed', 'message', 'gone', 0, 0, 0, 1, ${endedOn}${extra.value}
    from ${numbers(count)}`;
  await run(
    store,
    runs('old-', old, 1, sqlite ? { column: ', has_events', value: ', 0' } : { column: '', value: '' }),
  );
  await run(store, runs('recent-', recent, Date.now(), { column: '', value: '' }));
  const line = `${Date.now()}\t0\tmessage.delta\t{"delta":{"role":"assistant","content":[{"id":"1","response_type":"text","text":"tide "}]}}`;
  const rows = eventsOfRun / 10;
  await run(
    store,
    `insert into run_events (run_id, ms, sequence, events)
     select 'recent-' || (n % ${recent} + 1), n, 0, '${Array(10).fill(line).join('\n')}' from ${numbers(recent * rows)}`,
  );
  await run(store, sqlite ? 'pragma wal_checkpoint(truncate)' : 'analyze');
}

function run(store, text) {
  return store.database.executeQuery(CompiledQuery.raw(text));
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
