import { sql } from 'kysely';
import type { EngineName } from './database.ts';
import { jsonRows } from './json-rows.ts';
import type { Database } from './store.ts';

/** What runs have used. */
export interface UsageCount {
  readonly runs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The usage of one tenant and agent on one day. */
export interface UsageRow extends UsageCount {
  readonly tenantId: string;
  readonly agentId: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
}

/** The usage of one visitor or server on one day. */
export interface SubjectUsageRow extends Omit<UsageRow, 'agentId'> {
  readonly subject: string;
}

const dayMs = 86_400_000;
/** How long the usage of single visitors is kept. That of tenants and agents stays. */
const subjectUsageDays = 31;

/** Returns the UTC day of a time. @param ms since the epoch */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Adds to the usage of a day, with one statement for all tenants and agents and one for all visitors. */
export async function addUsage(
  store: EngineName,
  database: Database,
  day: string,
  added: {
    readonly agents: readonly Omit<UsageRow, 'day'>[];
    readonly subjects: readonly Omit<SubjectUsageRow, 'day'>[];
  },
): Promise<void> {
  const agents = added.agents.map((row) => ({ ...row, name: row.agentId }));
  const subjects = added.subjects.map((row) => ({ ...row, name: row.subject }));
  await addTo('usage', 'agent_id', { store, database, day, rows: agents });
  await addTo('subject_usage', 'subject', { store, database, day, rows: subjects });
}

async function addTo(
  table: 'usage' | 'subject_usage',
  column: 'agent_id' | 'subject',
  added: {
    readonly store: EngineName;
    readonly database: Database;
    readonly day: string;
    readonly rows: readonly (UsageCount & { readonly tenantId: string; readonly name: string })[];
  },
): Promise<void> {
  if (added.rows.length === 0) return;
  const rows = added.rows.map(({ tenantId, name, runs, inputTokens, outputTokens }) => {
    return [tenantId, name, runs, inputTokens, outputTokens];
  });
  const counts = ['runs', 'input_tokens', 'output_tokens'].map((count) => sql.ref(count));
  const sums = counts.map((count) => sql`${count} = ${sql.ref(table)}.${count} + excluded.${count}`);
  const values = [2, 3, 4].map((index) => sql`cast(j.value->>${sql.lit(index)} as bigint)`);
  await sql`
    insert into ${sql.ref(table)} (tenant_id, ${sql.ref(column)}, day, ${sql.join(counts)})
    select j.value->>0, j.value->>1, ${added.day}, ${sql.join(values)} from ${jsonRows(added.store, rows)} where true
    on conflict (tenant_id, ${sql.ref(column)}, day) do update set ${sql.join(sums)}`.execute(added.database);
}

/** Returns the tokens that a tenant used on a day. */
export async function tokensOfTenant(database: Database, tenantId: string, day: string): Promise<number> {
  const row = await database
    .selectFrom('usage')
    .select(sql<number>`coalesce(sum(input_tokens + output_tokens), 0)`.as('tokens'))
    .where('tenant_id', '=', tenantId)
    .where('day', '=', day)
    .executeTakeFirst();
  return Number(row?.tokens ?? 0);
}

/** Returns the tokens that a visitor or server used on a day. */
export async function tokensOfSubject(
  database: Database,
  { tenantId, subject }: { readonly tenantId: string; readonly subject: string },
  day: string,
): Promise<number> {
  const row = await database
    .selectFrom('subject_usage')
    .select(sql<number>`input_tokens + output_tokens`.as('tokens'))
    .where('tenant_id', '=', tenantId)
    .where('subject', '=', subject)
    .where('day', '=', day)
    .executeTakeFirst();
  return Number(row?.tokens ?? 0);
}

/** Lists the usage from a day on, by tenant, agent and day. */
export async function listUsage(
  database: Database,
  { since, tenantId }: { readonly since: string; readonly tenantId?: string | undefined },
): Promise<UsageRow[]> {
  let query = database.selectFrom('usage').selectAll().where('day', '>=', since);
  if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId);
  const rows = await query.orderBy('day').orderBy('tenant_id').orderBy('agent_id').execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    day: row.day,
    runs: Number(row.runs),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
  }));
}

/** Deletes the usage of single visitors after a month. @param now by the engine's clock */
export async function removeOldSubjectUsage(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('subject_usage')
    .where('day', '<', dayOf(now - subjectUsageDays * dayMs))
    .execute();
}
