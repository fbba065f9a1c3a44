import { createHash } from 'node:crypto';
import type { AgentRun } from '../agent.ts';

/** Returns the headers that tell an upstream which conversation it serves. */
export function identityHeaders(run: AgentRun): Record<string, string> {
  return { 'X-Thread-Id': run.threadId, 'X-Run-Id': run.runId, traceparent: run.traceparent };
}

/** Returns an id of the visitor for an upstream: the same in every run, and not the subject itself. */
export function hashedUser({ tenantId, subject }: AgentRun): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, subject]))
    .digest('hex');
}
