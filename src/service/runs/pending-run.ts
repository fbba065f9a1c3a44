import type { NewMessage } from '../storage/messages.ts';
import type { StoredEvent } from '../storage/run-events.ts';
import type { RunEnding } from '../storage/runs.ts';

/** Something of one run to be written. */
export interface JournalEntry {
  readonly runId: string;
  readonly event?: StoredEvent;
  readonly message?: NewMessage;
  readonly ended?: RunEnding;
}

/** What of one run has not come to its tables yet. */
export interface PendingRun {
  readonly events: StoredEvent[];
  readonly messages: NewMessage[];
  ended: RunEnding | undefined;
  /** Somebody waits for it, or it has grown large. */
  urgent: boolean;
  bytes: number;
  /** When it is to come to its tables at the latest, by `performance.now()`. */
  readonly dueAt: number;
  /** How many of its events stand in the journal, and the first row that holds some of them. */
  journaled: number;
  firstRow: number;
}

/** Milliseconds for which the deltas of a run may stand in the journal only. Most runs end sooner. */
const settleDelayMs = 30_000;

/** A run of which nothing waits yet. */
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

/** What could not be written, and what came since: to be written with the next commit. */
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
