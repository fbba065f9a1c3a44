import { messagesOfRun } from '../storage/messages.ts';
import { isAfter, type Cursor, type KeptEvent } from '../storage/run-events.ts';
import { findRun } from '../storage/runs.ts';
import type { Database } from '../storage/store.ts';

/** What can still be told of a run whose events are gone: its messages and how it ended, after a place. */
export async function synthesizedEvents(
  database: Database,
  runId: string,
  cursor: Cursor,
): Promise<KeptEvent[]> {
  const run = await findRun(database, runId);
  if (!run) return [];
  const shared = { agent_id: run.agent_id };
  const messages = await messagesOfRun(database, run);
  const said: { event: string; data: object }[] = [
    { event: 'run.started', data: shared },
    ...messages.map(({ stored }) => ({
      event: 'message.created',
      data: { ...shared, message_id: stored.id, message: stored },
    })),
  ];
  const ms = run.ended_on ?? run.created_on;
  const at = (from: number, told: readonly { event: string; data: object }[]): KeptEvent[] =>
    told.map(({ event, data }, sequence) => ({ ms: from, sequence, event, json: JSON.stringify(data) }));
  const isOver = run.status !== 'waiting' && run.status !== 'running';
  // The end has the very ids it had, so who has seen it is told nothing again.
  const end = isOver
    ? [
        { event: `run.${run.status}`, data: shared },
        { event: 'done', data: shared },
      ]
    : [];
  return [...at(ms - 1, said), ...at(ms, end)].filter((event) => isAfter(event, cursor));
}
