import type { AuditLog } from '../audit/audit-log.ts';
import type { CallRow } from './call-store.ts';

/** Records what was decided about a tool call, or what became of it: never its arguments or its result. */
export type AuditCall = (call: CallRow, outcome: string) => void;

/** Returns a function that records tool calls in the audit log. */
export function createCallAudit(log: Pick<AuditLog, 'record'>): AuditCall {
  return (call, outcome) =>
    log.record({
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
