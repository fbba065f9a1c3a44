import { SettingsError } from '../settings.ts';

/**
 * Words for a database that cannot be used, for the one who set it.
 * @param place the setting and its value, without a password: `DATA_DIR ./data`
 */
export function databaseError(place: string, error: unknown): SettingsError {
  const reason = reasonOf(error);
  const newer = /previously executed migration (\S+) is missing/.exec(reason)?.[1];
  const words =
    newer === undefined
      ? (known[codeOf(error)] ?? 'cannot be used; look whether it can be reached and may be written')
      : `was written by a newer agent-chat (step ${newer}); run that version, or restore a backup made before it`;
  return new SettingsError([`${place}: ${words} (${reason})`]);
}

/**
 * Whether a fault says that the database cannot be reached now: a request that leans on it may be asked again.
 * @source PostgreSQL, "Error Codes", classes 08 and 57; Node, "Common system errors"
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // pg gives no code of its own when a connection ends
  return awayCode.test(codeOf(error)) || error.message.startsWith('Connection terminated');
}

const awayCode =
  /^(08\w{3}|57P0[123]|53300|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;

/** Names of our own for faults without a code, or with one that says less. */
const unreadFile = 'UNREAD_FILE';
const noTls = 'NO_TLS';

const rights = 'cannot be written; give this user the right to, or name another place';
const damaged =
  'is damaged or no database; restore a backup, or move the file away to begin with an empty one';
const away =
  'does not answer; check the address, and that PostgreSQL runs there and can be reached from here';
const login = 'refuses this user; check the user and the password in the address';
const notDirectory = 'is not a directory; name one';
const untrusted =
  'shows a certificate that is not trusted here; name the file of its authority in the address, as ?sslrootcert=/path/ca.pem, and the host as the certificate has it';

/** What helps, by the code of SQLite, the file system, the network or PostgreSQL. */
const known: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: rights,
  SQLITE_READONLY: rights,
  SQLITE_PERM: rights,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_BUSY: 'is in use by another program; end that',
  SQLITE_FULL: 'has no room left; make some',
  EACCES: rights,
  EPERM: rights,
  EROFS: rights,
  ENOENT: rights,
  EEXIST: notDirectory,
  ENOTDIR: notDirectory,
  ENOSPC: 'has no room left; make some',
  ECONNREFUSED: away,
  ECONNRESET: away,
  ETIMEDOUT: away,
  EHOSTUNREACH: away,
  ENETUNREACH: away,
  ENOTFOUND: 'names a host that is not known; check the address',
  EAI_AGAIN: 'names a host that cannot be looked up now; check the address and the network',
  [unreadFile]:
    'names a file that cannot be read (sslrootcert, sslcert or sslkey); correct its path, or give this user the right to',
  [noTls]: 'speaks no TLS; take sslmode out of the address, or switch TLS on there',
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  '28P01': login,
  '28000': login,
  '3D000': 'names a database that is not there; make it with createdb, or name another',
  '42501': 'refuses this user the tables; grant it the right to create and change them',
  '53300': 'has no connection to spare; raise its max_connections or run fewer instances',
  '57P03': 'is starting or stopping; try again',
};

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  const syscall: unknown = Reflect.get(error, 'syscall');
  // PostgreSQL takes its socket file away when it stops
  if (code === 'ENOENT' && syscall === 'connect') return 'ECONNREFUSED';
  // the directory is made, and the database file opened by SQLite itself: only the address names files that are read
  if (syscall === 'open' || syscall === 'read') return unreadFile;
  // libsql has no name for some of the reasons
  if (error.message === 'attempt to write a readonly database') return 'SQLITE_READONLY';
  if (typeof code === 'string' && code !== '') {
    return code.startsWith('SQLITE_') ? code.split('_').slice(0, 2).join('_') : code;
  }
  // libsql gives no code when it cannot open a file, pg none when it waited too long
  if (error.message.startsWith('ConnectionFailed(')) return 'SQLITE_CANTOPEN';
  if (error.message.includes('does not support SSL')) return noTls;
  return error.message.includes('timeout') ? 'ETIMEDOUT' : '';
}

/** A host with several addresses fails with a list of faults and no words of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || codeOf(error);
}
