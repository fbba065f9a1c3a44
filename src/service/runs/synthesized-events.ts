import { messagesOfRun } from '../storage/messages.ts';
import { readRun } from '../storage/event-log.ts';
import { isAfter, start, type Cursor, type StoredEvent } from '../storage/run-events.ts';
import { findRun } from '../storage/runs.ts';
import type { Store } from '../storage/store.ts';

/**
 * Recreates the events of a finished run after a cursor, for when the log has no more of them: messages and end if all
 * events have expired, otherwise only the end. A deleted run is reported as cancelled. Returns `undefined` while the
 * run is active.
 */
export async function synthesizedEvents(
  store: Store,
  runId: string,
  cursor: Cursor,
): Promise<StoredEvent[] | undefined> {
  const { database } = store;
  const run = await findRun(database, runId);
  if (!run) return endOfDeleted(cursor);
  if (run.status === 'running') return undefined;
  const logged = await readRun(store.events, { runId, cursor: start });
  const shared = { agent_id: run.agent_id };
  const messages = await messagesOfRun(database, run);
  const beginning = [
    { event: 'run.started', data: shared },
    ...messages.map(({ stored }) => ({
      event: 'message.created',
      data: { ...shared, message_id: stored.id, message: stored },
    })),
  ];
  const endedAt = run.ended_on ?? run.created_on;
  const isOver = run.status !== 'waiting';
  // The end has its original ids, so readers who have seen it receive nothing again.
  const end = isOver
    ? [
        { event: `run.${run.status}`, data: shared },
        { event: 'done', data: shared },
      ]
    : [];
  const before = logged.length === 0 ? eventsAt(endedAt - 1, beginning) : [];
  return [...before, ...eventsAt(endedAt, end)].filter((event) => isAfter(event, cursor));
}

function eventsAt(ms: number, events: readonly { event: string; data: object }[]): StoredEvent[] {
  return events.map(({ event, data }, sequence) => ({ ms, sequence, event, json: JSON.stringify(data) }));
}

function endOfDeleted(cursor: Cursor): StoredEvent[] {
  const ms = Math.max(Date.now(), cursor.ms + 1);
  return ['run.cancelled', 'done'].map((event, sequence) => ({ ms, sequence, event, json: '{}' }));
}
