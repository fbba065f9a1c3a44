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

/** The usage of one tenant and agent. */
export interface TenantUsage extends UsageCount {
  readonly tenantId: string;
  readonly agentId: string;
}

/** The usage of one visitor or server. */
export interface SubjectUsage extends UsageCount {
  readonly tenantId: string;
  readonly subject: string;
}

/** The usage of one tenant and agent on one day. */
export interface UsageRow extends TenantUsage {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
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
  added: { readonly agents: readonly TenantUsage[]; readonly subjects: readonly SubjectUsage[] },
): Promise<void> {
  const addTo = async (
    table: 'usage' | 'subject_usage',
    column: 'agent_id' | 'subject',
    rows: readonly (readonly unknown[])[],
  ): Promise<void> => {
    if (rows.length === 0) return;
    const counts = ['runs', 'input_tokens', 'output_tokens'].map((count) => sql.ref(count));
    const sums = counts.map((count) => sql`${count} = ${sql.ref(table)}.${count} + excluded.${count}`);
    const values = [2, 3, 4].map((index) => sql`cast(j.value->>${sql.lit(index)} as bigint)`);
    await sql`
      insert into ${sql.ref(table)} (tenant_id, ${sql.ref(column)}, day, ${sql.join(counts)})
      select j.value->>0, j.value->>1, ${day}, ${sql.join(values)} from ${jsonRows(store, rows)} where true
      on conflict (tenant_id, ${sql.ref(column)}, day) do update set ${sql.join(sums)}`.execute(database);
  };
  const countsOf = (row: UsageCount) => [row.runs, row.inputTokens, row.outputTokens];
  await addTo(
    'usage',
    'agent_id',
    added.agents.map((row) => [row.tenantId, row.agentId, ...countsOf(row)]),
  );
  await addTo(
    'subject_usage',
    'subject',
    added.subjects.map((row) => [row.tenantId, row.subject, ...countsOf(row)]),
  );
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
