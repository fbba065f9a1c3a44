import { readFileSync } from 'node:fs';
import { Redis, type ChainableCommander } from 'ioredis';
import { databaseError } from './database-error.ts';
import type { EventLog, RemovedRun, RunPlace } from './event-log.ts';
import type { ErrorReport } from './open-postgres.ts';
import {
  eventId,
  eventLine,
  isAfter,
  parseEventLine,
  type EventBatch,
  type StoredEvent,
} from './run-events.ts';
import { RedisAwayError } from './store.ts';

/** The channel on which instances tell each other which runs have new events. */
const channel = 'agent-chat:news';
const field = 'events';
/** Marks a removed run, with the highest id there is: Redis refuses whatever an instance appends later. */
const removed = { field: 'removed', id: '18446744073709551615-18446744073709551615' } as const;
/** Entries of one run that are read at once. */
const maxEntries = 10;
/** Runs named in one notification. */
const maxNews = 200;
const connectLimitMs = 3_000;
const commandLimitMs = 4_000;
const heartbeatMs = 2_000;
const retryMs = 500;
/** How long the events of a run that has not ended are kept after the last one, at least. */
const activeTtlMs = 86_400_000;
/** Characters of events that wait in memory while Redis is away; more are lost. */
const maxUnsent = 64 * 1024 * 1024;

const keyOf = (runId: string): string => `agent-chat:run:${runId}`;

/**
 * Opens the log in Redis Streams: one stream for each run, whose entries hold the events of one append and have the
 * id of the last. Redis expires them by its own clock. While Redis is away, events wait in memory and runs go on;
 * their messages and ends are in the database.
 * @throws SettingsError when Redis cannot be reached
 */
export async function openRedisEventLog(options: {
  readonly url: string;
  readonly ttlSeconds: number;
  readonly report: ErrorReport;
}): Promise<EventLog> {
  const { url, ttlSeconds, report } = options;
  const { host, searchParams } = new URL(url);
  const authority = searchParams.get('sslrootcert');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectLimitMs,
    commandTimeout: commandLimitMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => retryMs,
    ...(authority !== null && { tls: { ca: readAuthority(authority, host) } }),
  });
  const subscriber = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
  let last: Error | undefined;
  for (const client of [redis, subscriber]) {
    client.on('error', (error: Error) => {
      const isKnown = last?.message === error.message;
      last = error;
      if (!isKnown) report(error, 'the connection to Redis was lost');
    });
    client.on('ready', () => (last = undefined));
  }
  try {
    await redis.connect();
    await subscriber.connect();
    await subscriber.subscribe(channel);
  } catch (error) {
    redis.disconnect();
    subscriber.disconnect();
    throw databaseError(`EVENTS_URL ${host}`, last ?? error);
  }
  return new RedisEventLog(redis, subscriber, { ttlMs: ttlSeconds * 1000, report });
}

/** Reads a certificate authority, which `sslrootcert` names as in a URL of PostgreSQL. */
function readAuthority(path: string, host: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw databaseError(`EVENTS_URL ${host}`, error);
  }
}

class RedisEventLog implements EventLog {
  readonly inDatabase = false;
  readonly #redis: Redis;
  readonly #subscriber: Redis;
  readonly #ttlMs: number;
  readonly #report: ErrorReport;
  readonly #heartbeat: NodeJS.Timeout;
  #unsent: EventBatch[] = [];
  #sending: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isAway = false;

  constructor(redis: Redis, subscriber: Redis, options: { ttlMs: number; report: ErrorReport }) {
    this.#redis = redis;
    this.#subscriber = subscriber;
    this.#ttlMs = options.ttlMs;
    this.#report = options.report;
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    this.#heartbeat.unref();
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  /** Resolves when the events are stored, or wait in memory because Redis is away. */
  async append(_database: unknown, batches: readonly EventBatch[]): Promise<void> {
    if (batches.length === 0) return;
    this.#unsent.push(...batches);
    if (this.#isAway) return this.#limitUnsent();
    while (this.#unsent.length > 0 && !this.#isAway) await this.#send();
  }

  async readAfter(places: readonly RunPlace[]): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
    const pipeline = this.#redis.pipeline();
    for (const { runId, cursor } of places)
      pipeline.xrange(keyOf(runId), `(${eventId(cursor)}`, '+', 'COUNT', maxEntries);
    const replies = await repliesOf(pipeline);
    const found = new Map<string, readonly StoredEvent[]>();
    for (const [index, { runId, cursor }] of places.entries()) {
      const entries = replies[index] as [string, string[]][]; // XRANGE's reply
      const stored = entries.filter(([id]) => id !== removed.id);
      const lines = stored.flatMap(([, fields]) => fields[1]?.split('\n') ?? []);
      found.set(runId, upToEnd(lines.map(parseEventLine).filter((event) => isAfter(event, cursor))));
    }
    return found;
  }

  follow(onChange: (runIds: readonly string[] | undefined) => void): () => void {
    const onMessage = (_channel: string, text: string): void => onChange(text.split('\n'));
    const onReady = (): void => onChange(undefined);
    this.#subscriber.on('message', onMessage);
    this.#subscriber.on('ready', onReady);
    return () => {
      this.#subscriber.off('message', onMessage);
      this.#subscriber.off('ready', onReady);
    };
  }

  async remove(_database: unknown, runs: readonly RemovedRun[]): Promise<void> {
    const ids = runs.map(({ id }) => id);
    const isRemoved = new Set(ids);
    this.#unsent = this.#unsent.filter(({ runId }) => !isRemoved.has(runId));
    const commands = this.#redis.multi();
    for (const { id, isRecent } of runs) {
      commands.del(keyOf(id));
      if (!isRecent) continue;
      commands.xadd(keyOf(id), removed.id, removed.field, '');
      commands.pexpire(keyOf(id), activeTtlMs);
    }
    await repliesOf(commands);
    await this.#notify(ids);
  }

  trim(): Promise<void> {
    return Promise.resolve(); // streams expire
  }

  overdue(): Promise<number> {
    return Promise.resolve(0);
  }

  async ping(): Promise<void> {
    if (this.#isAway) throw new RedisAwayError();
    await this.#redis.ping().catch((error: unknown) => {
      throw redisError(error);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    if (this.#unsent.length > 0) await this.#send();
    this.#redis.disconnect();
    this.#subscriber.disconnect();
  }

  /** Sends what waits. Never rejects. Concurrent calls share one round, so events of a run keep their order. */
  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    const batches = this.#unsent;
    this.#unsent = [];
    try {
      await this.#write(batches);
      this.#isAway = false;
    } catch (error) {
      this.#unsent = [...batches, ...this.#unsent];
      if (!this.#isAway) this.#report(error, 'events could not be written to Redis; they wait in memory');
      this.#isAway = true;
      this.#retry = setTimeout(() => void this.#send(), retryMs);
      this.#retry.unref();
    }
  }

  async #write(batches: readonly EventBatch[]): Promise<void> {
    const pipeline = this.#redis.pipeline();
    for (const { runId, events } of batches) {
      const last = events.at(-1);
      if (!last) continue;
      const key = keyOf(runId);
      pipeline.xadd(key, eventId(last), field, events.map(eventLine).join('\n'));
      pipeline.pexpire(key, last.event === 'done' ? this.#ttlMs : Math.max(this.#ttlMs, activeTtlMs));
    }
    // an append that is repeated because its reply was lost, or to a run that was removed
    await repliesOf(pipeline, (error) => error.message.includes('equal or smaller than'));
    await this.#notify(batches.map(({ runId }) => runId));
  }

  async #notify(runIds: readonly string[]): Promise<void> {
    for (let start = 0; start < runIds.length; start += maxNews)
      await this.#redis.publish(channel, runIds.slice(start, start + maxNews).join('\n'));
  }

  #limitUnsent(): void {
    let size = this.#unsent.reduce((sum, batch) => sum + sizeOf(batch), 0);
    while (size > maxUnsent) size -= sizeOf(this.#unsent.shift() ?? { runId: '', events: [] });
  }

  /** Replaces connections that went silent. */
  #beat(): void {
    for (const client of [this.#redis, this.#subscriber]) {
      if (client.status === 'ready') client.ping().catch(() => client.disconnect(true));
    }
  }
}

/** Sends commands. Returns their replies. @throws the first error that is not expected */
async function repliesOf(
  commands: ChainableCommander,
  isExpected: (error: Error) => boolean = () => false,
): Promise<unknown[]> {
  const replies = await commands.exec().catch((error: unknown) => Promise.reject(redisError(error) as Error));
  return (replies ?? []).map(([error, reply]) => {
    if (error && !isExpected(error)) throw redisError(error);
    return reply;
  });
}

function sizeOf({ events }: EventBatch): number {
  return events.reduce((sum, { json }) => sum + json.length, 1);
}

/** Drops what an instance that was paused added after another had ended its run. */
function upToEnd(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const end = events.findIndex(({ event }) => event === 'done');
  return end < 0 ? events : events.slice(0, end + 1);
}

/** Of the errors of ioredis, all but replies of the server mean that it cannot be reached. */
function redisError(error: unknown): unknown {
  return error instanceof Error && error.name === 'ReplyError' ? error : new RedisAwayError(error);
}
