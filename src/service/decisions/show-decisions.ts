import {
  type ContentItem,
  type StoredMessage,
  toolApproval,
  type ToolDecision,
} from '../../protocol/index.ts';
import type { Database } from '../storage/store.ts';
import { endedWithRun, questionRound, stateOf, type CallRow } from './call-store.ts';

/** Adds to stored messages the current state of the decisions, and of a server's questions, that they ask for. */
export async function showDecisions(
  database: Database,
  messages: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  const ids = [...new Set(messages.flatMap(askedIn))];
  if (ids.length === 0) return messages;
  const rows = await database
    .selectFrom('tool_calls')
    .innerJoin('runs', 'runs.id', 'tool_calls.run_id')
    .selectAll('tool_calls')
    .select('runs.status as run_status')
    .where('tool_calls.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, endedWithRun(row, row.run_status)]));
  const now = Date.now();
  return messages.map((message) => {
    if (askedIn(message).length === 0 || !Array.isArray(message.content)) return message;
    const content = message.content.map((item) => {
      const row = isAsking(item) ? byId.get(item.id ?? '') : undefined;
      return row?.thread_id === message.thread_id && row ? { ...item, decision: decisionOf(row, now) } : item;
    });
    return { ...message, content };
  });
}

/** The state of the decision on a call. */
export function decisionOf(row: CallRow, now: number): ToolDecision {
  const state = isInVain(row, now) ? 'expired' : stateOf(row, now);
  const reason = state === 'expired' ? 'expired' : row.reason;
  return {
    state,
    ...(row.expires_on === null ? {} : { expires_at: new Date(row.expires_on).toISOString() }),
    ...(row.decided_on === null ? {} : { decided_at: new Date(row.decided_on).toISOString() }),
    ...(reason === null ? {} : { reason }),
    // an object, as checked before it was stored
    ...(row.edited ? { form_data: JSON.parse(row.args) as Record<string, unknown> } : {}),
  };
}

/** Whether a call was approved, but another decision of its round was not taken in time: then none of them runs. */
function isInVain({ state, round, resumed_run: resumedRun, ...row }: CallRow, now: number): boolean {
  const waits = state === 'approved' && resumedRun === null && row.answer === null && round !== questionRound;
  return waits && row.expires_on !== null && row.expires_on <= now;
}

function askedIn({ content, role }: StoredMessage): string[] {
  if (role === 'user' || !Array.isArray(content)) return [];
  return content.flatMap((item) => (isAsking(item) && item.id != null ? [item.id] : []));
}

function isAsking(item: ContentItem): boolean {
  return item.sub_type === toolApproval || (item.json_schema != null && item['decision'] != null);
}
