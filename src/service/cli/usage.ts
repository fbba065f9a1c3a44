import { readSettings, type ServiceSettings } from '../settings.ts';
import { databaseError } from '../storage/database-error.ts';
import { dayOf, listUsage, type UsageRow } from '../storage/usage.ts';
import type { Store } from '../storage/store.ts';
import { readDuration, readOptions, UsageError } from './arguments.ts';

/** `agent-chat-service usage`: prints runs and tokens by tenant, agent and day. */
export async function usageCommand(args: readonly string[]): Promise<number> {
  const { since = '30d', tenant, format = 'table' } = readOptions(args, ['since', 'tenant', 'format']);
  if (format !== 'table' && format !== 'json') throw new UsageError('--format must be table or json');
  const day = firstDay(since);
  // No setting is required but those of the database.
  const settings = readSettings(process.env, { playground: true });
  const store = await openToRead(settings);
  try {
    const rows = await listUsage(store.database, { since: day, tenantId: tenant }).catch((error: unknown) => {
      throw databaseError(
        settings.databaseUrl === undefined ? `DATA_DIR ${settings.dataDir}` : 'DATABASE_URL',
        error,
      );
    });
    for (const line of format === 'json' ? rows.map(jsonLine) : tableLines(rows, day)) console.log(line);
  } finally {
    await store.close();
  }
  return 0;
}

async function openToRead(settings: ServiceSettings): Promise<Pick<Store, 'database' | 'close'>> {
  if (settings.databaseUrl === undefined)
    return (await import('../storage/open-sqlite.ts')).openSqliteToRead(settings.dataDir);
  const { openPostgres } = await import('../storage/open-postgres.ts');
  return openPostgres(settings.databaseUrl, (_error, what) =>
    console.error(`agent-chat-service usage: ${what}`),
  );
}

/** Reads a day like `2026-11-01`, or a duration before now. */
function firstDay(since: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(since)) {
    if (!Number.isNaN(Date.parse(since))) return since;
    throw new UsageError(`--since must be a day that exists, not "${since}"`);
  }
  if (!/^\d+[smhd]?$/.test(since))
    throw new UsageError(`--since must be a day like 2026-11-01 or a duration like 7d, not "${since}"`);
  return dayOf(Date.now() - readDuration(since, '--since') * 1000);
}

function jsonLine({ day, tenantId, agentId, runs, inputTokens, outputTokens }: UsageRow): string {
  return JSON.stringify({
    day,
    tenant_id: tenantId,
    agent_id: agentId,
    runs,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  });
}

function tableLines(rows: readonly UsageRow[], since: string): string[] {
  if (rows.length === 0) return [`No runs since ${since}.`];
  const table = [
    ['DAY', 'TENANT', 'AGENT', 'RUNS', 'INPUT', 'OUTPUT'],
    ...rows.map((row) => [
      row.day,
      row.tenantId,
      row.agentId,
      String(row.runs),
      String(row.inputTokens),
      String(row.outputTokens),
    ]),
  ];
  const widths = (table[0] ?? []).map((_head, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = (column: number): boolean => column >= 3;
  return table.map((row) =>
    row
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
