import type { EmbeddedChatConfig } from '../../protocol/index.ts';
import type { Database } from './store.ts';

/** A stored config: one per tenant and agent. */
export interface StoredConfig {
  readonly config: EmbeddedChatConfig;
  readonly isLive: boolean;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Stores a whole config. Without `is_live`, its value is kept; a new config is live. */
export async function putConfig(
  database: Database,
  key: { tenantId: string; agentId: string },
  config: EmbeddedChatConfig,
): Promise<StoredConfig> {
  const updatedAt = Date.now();
  const body = JSON.stringify(config);
  const live = config.is_live == null ? undefined : Number(config.is_live);
  const row = await database
    .insertInto('configs')
    .values({
      tenant_id: key.tenantId,
      agent_id: key.agentId,
      body,
      is_live: live ?? 1,
      updated_at: updatedAt,
    })
    .onConflict((clash) =>
      clash
        .columns(['tenant_id', 'agent_id'])
        .doUpdateSet({ body, updated_at: updatedAt, ...(live === undefined ? {} : { is_live: live }) }),
    )
    .returning('is_live')
    .executeTakeFirstOrThrow();
  return { config, isLive: row.is_live === 1, updatedAt };
}

/** Reads a config. */
export async function findConfig(
  database: Database,
  key: { tenantId: string; agentId: string },
): Promise<StoredConfig | undefined> {
  const row = await database
    .selectFrom('configs')
    .select(['body', 'is_live', 'updated_at'])
    .where('tenant_id', '=', key.tenantId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst();
  if (!row) return undefined;
  const config = JSON.parse(row.body) as EmbeddedChatConfig; // written by `putConfig`
  return { config, isLive: row.is_live === 1, updatedAt: row.updated_at };
}
