import { sql } from 'kysely';
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

/** Adds to the usage of a day. */
export async function addUsage(
  database: Database,
  day: string,
  added: {
    readonly agents: readonly Omit<UsageRow, 'day'>[];
    readonly subjects: readonly Omit<SubjectUsageRow, 'day'>[];
  },
): Promise<void> {
  const sums = {
    runs: sql<number>`excluded.runs`,
    input: sql<number>`excluded.input_tokens`,
    output: sql<number>`excluded.output_tokens`,
  };
  for (const { tenantId, agentId, runs, inputTokens, outputTokens } of added.agents) {
    await database
      .insertInto('usage')
      .values({
        tenant_id: tenantId,
        agent_id: agentId,
        day,
        runs,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
      })
      .onConflict((clash) =>
        clash.columns(['tenant_id', 'agent_id', 'day']).doUpdateSet(({ eb, ref }) => ({
          runs: eb(ref('usage.runs'), '+', sums.runs),
          input_tokens: eb(ref('usage.input_tokens'), '+', sums.input),
          output_tokens: eb(ref('usage.output_tokens'), '+', sums.output),
        })),
      )
      .execute();
  }
  for (const { tenantId, subject, runs, inputTokens, outputTokens } of added.subjects) {
    await database
      .insertInto('subject_usage')
      .values({
        tenant_id: tenantId,
        subject,
        day,
        runs,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
      })
      .onConflict((clash) =>
        clash.columns(['tenant_id', 'subject', 'day']).doUpdateSet(({ eb, ref }) => ({
          runs: eb(ref('subject_usage.runs'), '+', sums.runs),
          input_tokens: eb(ref('subject_usage.input_tokens'), '+', sums.input),
          output_tokens: eb(ref('subject_usage.output_tokens'), '+', sums.output),
        })),
      )
      .execute();
  }
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
