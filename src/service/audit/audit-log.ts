import { closeSync, openSync, writeSync } from 'node:fs';
import { messageAuthor } from '../storage/message-author.ts';
import { SettingsError } from '../settings.ts';

/** One audited action. Holds ids and counts only: no text of messages, no arguments, no secrets. */
export interface AuditEntry {
  /** What happened, such as `thread.deleted`. */
  readonly action: string;
  /** Who did it: a subject, `key:<id>`, or `undefined` for the operator of the process. */
  readonly actor?: string;
  readonly tenant_id?: string;
  readonly [detail: string]: unknown;
}

/** Records administrative actions, decisions on tool calls, exports, deletions and changes of the configuration. */
export interface AuditLog {
  record(entry: AuditEntry): void;
  /** Reopens the file, for log rotation. Keeps the old file if that fails. */
  reopen(): void;
  close(): void;
}

/**
 * Creates the audit log. Writes each entry to the log and, if a file is given, appends it there as a JSON line.
 * @param log writes to the log
 * @param onError receives errors of writing or reopening the file
 * @throws SettingsError when the file cannot be opened
 */
export function createAuditLog(
  file: string | undefined,
  log: (fields: Readonly<Record<string, unknown>>, text: string) => void,
  onError: (error: unknown) => void,
): AuditLog {
  let opened = file === undefined ? undefined : openFile(file);
  const close = (): void => {
    if (opened !== undefined) closeSync(opened);
    opened = undefined;
  };
  return {
    record({ action, actor, ...details }) {
      const fields = { actor: actor === undefined ? { kind: 'operator' } : messageAuthor(actor), ...details };
      log({ audit: action, ...fields }, 'audit');
      if (opened === undefined) return;
      try {
        writeSync(opened, `${JSON.stringify({ time: new Date().toISOString(), action, ...fields })}\n`);
      } catch (error) {
        onError(error);
      }
    },
    reopen() {
      if (file === undefined) return;
      try {
        const next = openFile(file);
        close();
        opened = next;
      } catch (error) {
        onError(error);
      }
    },
    close,
  };
}

function openFile(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsError([`AUDIT_FILE ${file} cannot be written: ${reason}`]);
  }
}
