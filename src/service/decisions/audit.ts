import type { CallRow } from './call-store.ts';

/** Records what was decided about a call, or what became of it. */
export type Audit = (call: CallRow, outcome: string) => void;

/** Creates the audit of tool calls. Its entries never contain arguments or results. */
export function createCallAudit(record: (entry: CallAuditEntry) => void): Audit {
  return (call, outcome) =>
    record({
      action: 'tool_call',
      ...(call.decided_by === null ? {} : { actor: call.decided_by }),
      outcome,
      call_id: call.id,
      thread_id: call.thread_id,
      tenant_id: call.tenant_id,
      decided_by: call.decided_by,
      decided_at: call.decided_on === null ? null : new Date(call.decided_on).toISOString(),
      server: call.server,
      tool: call.name,
      args_sha256: call.args_hash,
      edited: call.edited === 1,
      run_id: call.executed_run ?? call.run_id,
    });
}

/** One line of the audit about a tool call. */
export interface CallAuditEntry {
  readonly action: 'tool_call';
  readonly actor?: string;
  readonly outcome: string;
  readonly tenant_id: string;
  readonly [detail: string]: unknown;
}
