import type { NewMessage } from '../storage/messages.ts';
import type { StoredEvent } from '../storage/run-events.ts';
import type { RunEnding } from '../storage/runs.ts';

/** Data of one run to be written. */
export interface JournalEntry {
  readonly runId: string;
  readonly event?: StoredEvent;
  readonly message?: NewMessage;
  readonly ended?: RunEnding;
}

/** Data of one run that is not in its tables yet. */
export interface PendingRun {
  readonly events: StoredEvent[];
  readonly messages: NewMessage[];
  ended: RunEnding | undefined;
  /** Whether it must be written soon: a caller waits for it, or it is large. */
  urgent: boolean;
  /** Of events and messages. */
  bytes: number;
  /** Latest time to write it to its tables, by `performance.now()`. */
  readonly dueAt: number;
  /** Number of its events in the journal, and the first journal row with one of them. */
  journaled: number;
  firstRow: number;
}

/** How long deltas may stay in the journal only. Most runs end sooner. */
const settleDelayMs = 30_000;

/** Creates an empty pending run. */
export function createPendingRun(): PendingRun {
  return {
    events: [],
    messages: [],
    ended: undefined,
    urgent: false,
    bytes: 0,
    dueAt: performance.now() + settleDelayMs,
    journaled: 0,
    firstRow: Infinity,
  };
}

/** Merges data that could not be written with newer data, for the next commit. */
export function mergePending(run: PendingRun, since: PendingRun | undefined): PendingRun {
  return {
    ...run,
    events: [...run.events, ...(since?.events ?? [])],
    messages: [...run.messages, ...(since?.messages ?? [])],
    ended: run.ended ?? since?.ended,
    urgent: true,
    bytes: run.bytes + (since?.bytes ?? 0),
  };
}
