import { SettingsError } from '../settings.ts';

/**
 * Explains to the operator why a database cannot be used.
 * @param location the setting and its value, without a password: `DATA_DIR ./data`
 */
export function databaseError(location: string, error: unknown): SettingsError {
  const reason = reasonOf(error);
  const newer = /previously executed migration (\S+) is missing/.exec(reason)?.[1];
  const words =
    newer === undefined
      ? (known[codeOf(error)] ?? 'cannot be used; check that it is reachable and writable')
      : `was written by a newer agent-chat (step ${newer}); run that version, or restore a backup made before it`;
  return new SettingsError([`${location}: ${words} (${reason})`], { cause: error });
}

/**
 * Whether an error means that the database cannot be reached now, so the request may be retried.
 * @source PostgreSQL, "Error Codes", classes 08 and 57; Node, "Common system errors"
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return awayCode.test(codeOf(error)) || closed.test(error.message);
}

/** Whether a write failed because of the disk. @source PostgreSQL, "Error Codes", 53100 */
export function isDiskFault(error: unknown): boolean {
  return /^(SQLITE_FULL|SQLITE_IOERR|53100|ENOSPC)$/.test(codeOf(error));
}

/** What an error for which `isDiskFault` is true says of the disk. */
export function diskFault(error: unknown): string {
  return codeOf(error) === 'SQLITE_IOERR'
    ? 'the disk of the database cannot be written: it may be full, read-only or broken'
    : 'the disk of the database is full';
}

/** Whether the file of the embedded database is damaged. Every further write may make it worse. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)$/.test(codeOf(error));
}

/** Whether another process has locked the embedded database. */
export function isInUse(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_BUSY';
}

/** Whether the database can be read only, as a standby. @source PostgreSQL, "Error Codes", 25006 */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** Whether an error means that the database cannot be used for now, whatever is stored. */
export function isOutage(error: unknown): boolean {
  return isAway(error) || isDiskFault(error) || isReadOnly(error);
}

/**
 * Whether the data itself cannot be stored, so a retry would not help. A `RangeError` is a text that is too long.
 * @source PostgreSQL, "Error Codes", classes 22 (data exception) and 54 (program limit exceeded)
 */
export function isUnwritable(error: unknown): boolean {
  return error instanceof RangeError || /^(22\w{3}|54\w{3}|SQLITE_TOOBIG)$/.test(codeOf(error));
}

/** Whether a transaction failed only because of others at the same time. @source PostgreSQL, "Error Codes", class 40 */
export function isDeadlock(error: unknown): boolean {
  return /^(40P01|40001)$/.test(codeOf(error));
}

/** Whether a row cannot be stored because another one has its key. @source PostgreSQL, "Error Codes", 23505 */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505';
}

const awayCode =
  /^(08\w{3}|57P0[123]|53300|25006|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;

/** What pg, which has no code for it, says of a connection that is closed. */
const closed =
  /^Connection terminated|^Client .* is not queryable|^timeout exceeded when trying to connect|^timeout expired/;

/** Our own codes for errors without a code, or with an unclear one. */
const unreadFile = 'UNREAD_FILE';
const noTls = 'NO_TLS';
const wantsTls = 'WANTS_TLS';

const rights = 'is not writable; grant this user write access, or choose another location';
const damaged =
  'is damaged or not a database; restore a backup, or move the file away to start with an empty one';
const away = 'does not respond; check the address, and that the server is running and reachable from here';
const login = 'rejects this user; check the user and the password in the URL';
const notDirectory = 'is not a directory';
const untrusted =
  'has a certificate that is not trusted here; add the file of its certificate authority to the URL, as ?sslrootcert=/path/ca.pem, and use the host name of the certificate';

/** Advice by the error code of SQLite, the file system, the network or PostgreSQL. */
const known: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: rights,
  SQLITE_READONLY: rights,
  SQLITE_PERM: rights,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_BUSY: 'is in use by another program; stop it',
  SQLITE_FULL: 'has no free space; free some',
  EACCES: rights,
  EPERM: rights,
  EROFS: rights,
  ENOENT: rights,
  EEXIST: notDirectory,
  ENOTDIR: notDirectory,
  ENOSPC: 'has no free space; free some',
  ECONNREFUSED: away,
  ECONNRESET: away,
  ETIMEDOUT: away,
  EHOSTUNREACH: away,
  ENETUNREACH: away,
  ENOTFOUND: 'has an unknown host; check the address',
  EAI_AGAIN: 'has a host that cannot be resolved now; check the address and the network',
  [unreadFile]:
    'refers to a file that cannot be read (sslrootcert, sslcert or sslkey); correct its path, or grant this user read access',
  [noTls]: 'does not support TLS; remove sslmode from the URL, or enable TLS on the server',
  [wantsTls]: 'lets this user in with TLS only; add ?sslmode=verify-full to the URL',
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  '28P01': login,
  '28000': login,
  '3D000': 'refers to a database that does not exist; create it with createdb, or use another',
  '42501':
    'denies this user access to the tables; grant it the right to create and change them, for example by making it the owner of the database',
  '53300': 'has no free connections; raise max_connections or run fewer instances',
  '57P03': 'is starting or stopping; try again',
};

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  const syscall: unknown = Reflect.get(error, 'syscall');
  // PostgreSQL removes its socket file when it stops
  if (code === 'ENOENT' && syscall === 'connect') return 'ECONNREFUSED';
  // Node itself opens only the certificate files that the URL names: SQLite opens the database file
  if (syscall === 'open' || code === 'EISDIR') return unreadFile;
  if (code === '28000' && /no encryption|SSL off/i.test(error.message)) return wantsTls;
  // libsql has no code for this error
  if (error.message === 'attempt to write a readonly database') return 'SQLITE_READONLY';
  if (typeof code === 'string' && code !== '') {
    return code.startsWith('SQLITE_') ? code.split('_').slice(0, 2).join('_') : code;
  }
  // libsql has no code when it cannot open a file, and pg none for a timeout
  if (error.message.startsWith('ConnectionFailed(')) return 'SQLITE_CANTOPEN';
  if (error.message.includes('does not support SSL')) return noTls;
  return error.message.includes('timeout') ? 'ETIMEDOUT' : '';
}

/** A host with several addresses fails with an AggregateError without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || codeOf(error);
}
