import { toolApproval, type StoredMessage } from '../../protocol/index.ts';
import type { Database } from '../storage/store.ts';
import { decisionOf } from './decide.ts';

/** Shows in stored messages where their decisions stand now. */
export async function showDecisions(
  database: Database,
  messages: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  const ids = [...new Set(messages.flatMap(askedIn))];
  if (ids.length === 0) return messages;
  const rows = await database.selectFrom('tool_calls').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const now = Date.now();
  return messages.map((message) => {
    if (askedIn(message).length === 0 || !Array.isArray(message.content)) return message;
    const content = message.content.map((item) => {
      const row = item.sub_type === toolApproval ? byId.get(item.id ?? '') : undefined;
      return row?.thread_id === message.thread_id && row ? { ...item, decision: decisionOf(row, now) } : item;
    });
    return { ...message, content };
  });
}

function askedIn({ content, role }: StoredMessage): string[] {
  if (role === 'user' || !Array.isArray(content)) return [];
  return content.flatMap((item) => (item.sub_type === toolApproval && item.id != null ? [item.id] : []));
}
