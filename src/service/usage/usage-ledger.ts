import { tooMany } from '../errors/problem.ts';
import { storeTime, type Store } from '../storage/store.ts';
import {
  addUsage,
  dayOf,
  tokensOfSubject,
  tokensOfTenant,
  type SubjectUsage,
  type TenantUsage,
  type UsageCount,
} from '../storage/usage.ts';

/** How often counts are written, and how old a total may be: other instances count too. */
const flushIntervalMs = 5_000;
/** How long the runs of a visitor take to end after an erasure. */
const erasureMs = 60_000;
const dayMs = 86_400_000;

/** Tokens that may be used a day; 0: no limit. */
export interface TokenLimits {
  readonly subject: number;
  readonly tenant: number;
}

/** Who uses an agent. */
export interface UsageOwner {
  readonly tenantId: string;
  /** A subject or `key:<id>`. */
  readonly subject: string;
}

interface Total {
  readonly tokens: number;
  readonly day: string;
  /** By `performance.now()`. */
  readonly readAt: number;
}

/**
 * Counts runs and tokens by tenant, agent, visitor and day. Counts are kept in memory and written every few seconds,
 * so a run costs no statement; a crash loses those seconds.
 */
export class UsageLedger {
  readonly #store: Store;
  readonly #limits: TokenLimits;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #agents = new Map<string, TenantUsage>();
  #subjects = new Map<string, SubjectUsage>();
  readonly #totals = new Map<string, Total>();
  /** Visitors whose data was erased a moment ago: the ends of their runs are not counted. */
  readonly #erased = new Set<string>();
  #work: Promise<void> = Promise.resolve();

  /** @param onError receives errors of the store; the counts are written later */
  constructor(store: Store, limits: TokenLimits, onError: (error: unknown) => void) {
    this.#store = store;
    this.#limits = limits;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush(), flushIntervalMs);
    this.#timer.unref();
  }

  /** Counts a run that has ended. */
  record({ tenantId, subject, agentId }: UsageOwner & { readonly agentId: string }, count: UsageCount): void {
    add(this.#agents, keyOf(tenantId, agentId), { tenantId, agentId, ...count });
    this.#addSubject(keyOf(tenantId, subject), { tenantId, subject, ...count });
  }

  /**
   * Checks that tokens are left for today. Runs under way are not counted yet.
   * @throws Problem 429 with the seconds until the day ends
   */
  async check({ tenantId, subject }: UsageOwner): Promise<void> {
    const { database } = this.#store;
    if (this.#limits.tenant > 0) {
      const used = await this.#total(keyOf(tenantId, ''), (day) => tokensOfTenant(database, tenantId, day));
      const pending = [...this.#agents.values()].filter((count) => count.tenantId === tenantId);
      const sum = used + pending.reduce((total, count) => total + tokensIn(count), 0);
      if (sum >= this.#limits.tenant) throw tooManyTokens('this tenant', 'TENANT_TOKEN_LIMIT');
    }
    if (this.#limits.subject > 0) {
      const key = keyOf(tenantId, subject);
      const used = await this.#total(key, (day) => tokensOfSubject(database, { tenantId, subject }, day));
      if (used + tokensIn(this.#subjects.get(key)) >= this.#limits.subject)
        throw tooManyTokens('this visitor', 'TOKEN_LIMIT');
    }
  }

  /** Forgets what is not written yet about a visitor whose data is erased on any instance. */
  forget({ tenantId, subject }: UsageOwner): void {
    const key = keyOf(tenantId, subject);
    this.#subjects.delete(key);
    this.#totals.delete(key);
    this.#erased.add(key);
    setTimeout(() => this.#erased.delete(key), erasureMs).unref();
  }

  /** Writes the counts. */
  flush(): Promise<void> {
    this.#work = this.#work.then(() => this.#write()).catch(this.#onError);
    return this.#work;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const [agents, subjects] = [this.#agents, this.#subjects];
    if (agents.size + subjects.size === 0) return;
    [this.#agents, this.#subjects] = [new Map(), new Map()];
    try {
      const now = await storeTime(this.#store);
      const added = { agents: sorted(agents), subjects: sorted(subjects) };
      await this.#store.transaction((database) => addUsage(this.#store, database, dayOf(now), added), {
        durable: false,
      });
      this.#totals.clear();
    } catch (error) {
      for (const [key, count] of agents) add(this.#agents, key, count);
      for (const [key, count] of subjects) this.#addSubject(key, count);
      throw error;
    }
  }

  #addSubject(key: string, count: SubjectUsage): void {
    if (!this.#erased.has(key)) add(this.#subjects, key, count);
  }

  async #total(key: string, read: (day: string) => Promise<number>): Promise<number> {
    const known = this.#totals.get(key);
    if (known && performance.now() - known.readAt < flushIntervalMs && known.day === dayOf(Date.now()))
      return known.tokens;
    const day = dayOf(await storeTime(this.#store));
    const tokens = await read(day);
    if (this.#totals.size > 50_000) this.#totals.clear();
    this.#totals.set(key, { tokens, day, readAt: performance.now() });
    return tokens;
  }
}

/** The key of a tenant and a name. Neither holds a NUL. */
function keyOf(tenantId: string, name: string): string {
  return `${tenantId}\u0000${name}`;
}

/** In one order on all instances, so that their transactions do not deadlock. */
function sorted<Row>(rows: ReadonlyMap<string, Row>): readonly Row[] {
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function add<Row extends UsageCount>(rows: Map<string, Row>, key: string, added: Row): void {
  const known = rows.get(key);
  rows.set(key, {
    ...added,
    runs: (known?.runs ?? 0) + added.runs,
    inputTokens: (known?.inputTokens ?? 0) + added.inputTokens,
    outputTokens: (known?.outputTokens ?? 0) + added.outputTokens,
  });
}

function tokensIn(count: UsageCount | undefined): number {
  return count ? count.inputTokens + count.outputTokens : 0;
}

function tooManyTokens(whose: string, setting: string): Error {
  const seconds = (dayMs - (Date.now() % dayMs)) / 1000;
  return tooMany(`${whose} has used all tokens of today; try again tomorrow (UTC)`, seconds, setting);
}
