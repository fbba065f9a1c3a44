import { closeSync, openSync, writeSync } from 'node:fs';
import { messageAuthor } from '../storage/message-author.ts';
import { SettingsError } from '../settings.ts';

/** One act. Holds ids and counts only: no text of messages, no arguments, no secrets. */
export interface AuditEntry {
  /** What happened, such as `thread.deleted`. */
  readonly action: string;
  /** Who did it: a subject, `key:<id>`, or `undefined` for the operator of the process. */
  readonly actor?: string;
  readonly tenant_id?: string;
  readonly [detail: string]: unknown;
}

/** Records administrative acts, deletions and changes of the configuration. */
export interface AuditLog {
  record(entry: AuditEntry): void;
  /** Opens the file again, after it was moved away. */
  reopen(): void;
  close(): void;
}

/**
 * Creates the audit log. Each entry is a line of the log and, with a file, a JSON line that is appended to it.
 * @param log writes to the log
 * @param onError receives errors of the file
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
