import pg from 'pg';
import { Kysely, PostgresDialect, sql, type PostgresPool } from 'kysely';
import { databaseError, isDiskFault } from './database-error.ts';
import { channel, packTopics, postgresEventLog, unpackTopics } from './postgres-event-log.ts';
import { GuardedPool } from './postgres-pool.ts';
import { TopicEmitter } from './topic-emitter.ts';
import { DiskError, type Database, type StatementTimer, type Store, type Topic } from './store.ts';
import type { Tables } from './tables.ts';

const bigintOid = 20;
const reconnectDelayMs = 500;
/** How long opening a connection, or waiting for a free one, may take. */
const connectLimitMs = 3_000;
/** How often the notification connection is tried, and how long it may take to answer. */
const heartbeatMs = 5_000;
const heartbeatLimitMs = 4_000;
/** Attempts between two reports of an outage: at least a minute. */
const attemptsBetweenReports = 120;

/** Logs an error that has no consequences yet. */
export type ErrorReport = (error: unknown, what: string) => void;

/**
 * Opens a PostgreSQL database that several instances can share.
 * @param givenUrl as for libpq, but each `sslmode` with a certificate checks it and the host name
 * @param report receives lost connections
 * @param note receives the end of an outage
 * @throws SettingsError when it cannot be reached
 */
export async function openPostgres(
  givenUrl: string,
  report: ErrorReport,
  onStatement: StatementTimer = () => undefined,
  note: (text: string) => void = () => undefined,
): Promise<Store> {
  const url = withNamedTlsMode(givenUrl);
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectLimitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === bigintOid ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    }, // every bigint here is a timestamp, far below 2^53
  });
  // a client in use rejects its query; without a listener, its loss would also crash the service
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => report(error, 'an idle database connection was lost'));
  let diskFault: unknown;
  const guarded = new GuardedPool(pool, {
    connectLimitMs,
    onSilence: (error) => report(error, 'a database connection went silent'),
  });
  const databaseOn = (pool: PostgresPool): Database =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({ pool }),
      log: (event) => {
        onStatement(event.queryDurationMillis);
        if (event.level === 'error' && isDiskFault(event.error)) diskFault = event.error;
      },
    });
  const database = databaseOn(guarded);
  /** Kysely ends the pool only after a statement of its own. */
  const closePool = async (): Promise<void> => {
    await database.destroy();
    if (!pool.ending) await pool.end();
  };
  const listeners = new TopicEmitter();
  const listening = new ListeningConnection(url, (topics) => listeners.emit(topics), { report, note });
  const { host, pathname } = new URL(url);
  const location = `DATABASE_URL ${host}${pathname}`;
  await listening.start().catch(async (error: unknown) => {
    await closePool();
    throw databaseError(location, error);
  });

  const storeOn = (on: Database): Omit<Store, 'events' | 'unlimited'> => ({
    engine: 'postgres',
    location,
    shared: true,
    database: on,
    clock: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    transaction: (work, { durable = true } = {}) =>
      on.transaction().execute(async (transaction) => {
        if (!durable) await sql`set local synchronous_commit = off`.execute(transaction);
        const topics = new Set<Topic>();
        const result = await work(transaction, (topic) => topics.add(topic));
        if (topics.size > 0) {
          const notices = packTopics(topics);
          await sql`select pg_notify(${channel}, notice) from unnest(${notices}::text[]) as notice`.execute(
            transaction,
          );
        }
        return result;
      }),
    listen: (onTopic) => listeners.subscribe(onTopic),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async ping() {
      // as runs do: in a transaction, on a database that can be written
      const isReadOnly = await database.transaction().execute(async (transaction) => {
        if (diskFault !== undefined) await checkFreeSpace(transaction, diskFault);
        const { rows } = await sql<{ value: string }>`
          select current_setting('transaction_read_only') as value`.execute(transaction);
        return rows[0]?.value === 'on';
      });
      if (isReadOnly)
        throw Object.assign(new Error('the database is read-only: this is a standby'), { code: '25006' });
      diskFault = undefined;
    },
    eraseDeleted: () => Promise.resolve(), // autovacuum
    async close() {
      listening.stop();
      await closePool();
    },
  });
  const complete = (store: ReturnType<typeof storeOn>): Store => ({
    ...store,
    events: postgresEventLog(store),
    get unlimited() {
      return unlimited;
    },
  });
  const unlimited = complete(storeOn(databaseOn(guarded.unlimited)));
  return complete(storeOn(database));
}

/**
 * After a failed write, checks with a temporary table whether there is free space again.
 * @throws DiskError
 */
async function checkFreeSpace(database: Database, cause: unknown): Promise<void> {
  try {
    await sql`create temporary table agent_chat_room (filler text) on commit drop`.execute(database);
    await sql`insert into agent_chat_room select md5(value::text) from generate_series(1, 32768) as value`.execute(
      database,
    );
  } catch (error) {
    throw isDiskFault(error) ? new DiskError(cause) : error;
  }
}

/**
 * The connection that receives notifications. Reconnects by itself and then emits `*`, because anything may
 * have changed.
 */
class ListeningConnection {
  #client: pg.Client | undefined;
  #stopped = false;
  #tries = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  readonly #url: string;
  readonly #onTopics: (topics: Topic[]) => void;
  readonly #report: ErrorReport;
  readonly #note: (text: string) => void;

  constructor(
    url: string,
    onTopics: (topics: Topic[]) => void,
    { report, note }: { readonly report: ErrorReport; readonly note: (text: string) => void },
  ) {
    this.#url = url;
    this.#onTopics = onTopics;
    this.#report = report;
    this.#note = note;
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: connectLimitMs,
      query_timeout: heartbeatLimitMs,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, undefined));
    client.on('notification', (note) => {
      if (note.payload) this.#onTopics(unpackTopics(note.payload));
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    this.#tries = 0;
    this.#heartbeat = setInterval(() => {
      client.query('select 1').catch((error: unknown) => this.#lost(client, error));
    }, heartbeatMs).unref();
    this.#onTopics(['*']);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#heartbeat);
    this.#client?.end().catch(() => undefined);
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#stopped || this.#client !== client) return;
    this.#client = undefined;
    clearInterval(this.#heartbeat);
    this.#report(error, 'the notification connection was lost');
    client.end().catch(() => undefined);
    this.#again();
  }

  #again(): void {
    setTimeout(() => {
      if (this.#stopped) return;
      this.start().then(
        () => this.#note('the notification connection is back'),
        (error: unknown) => {
          if (this.#tries % attemptsBetweenReports === 0)
            this.#report(error, 'the notification connection is still down');
          this.#tries += 1;
          this.#again();
        },
      );
    }, reconnectDelayMs).unref();
  }
}

/** pg takes these modes as `verify-full`, and warns about it at each start. */
function withNamedTlsMode(url: string): string {
  if (url.includes('uselibpqcompat=')) return url;
  return url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
