import type { CallRow } from './call-store.ts';

/** Logs what was decided about a call, or what became of it. Never contains arguments or results. */
export type Audit = (call: CallRow, outcome: string) => void;

/** Creates the audit of a service. @param log writes one line */
export function createAudit(log: (fields: Readonly<Record<string, unknown>>, text: string) => void): Audit {
  return (call, outcome) =>
    log(
      {
        audit: 'tool_call',
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
      },
      'tool call decided or ended',
    );
}
