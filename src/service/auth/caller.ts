import type { Reach } from '../storage/threads.ts';

/** The scopes of a visitor's token. @assumed the interface defines no scopes */
export const tokenScopes = ['run', 'callback', 'notify', 'config'] as const;
/** The scopes of a server's key. `admin`: exports and erases what is stored of a person. */
export const keyScopes = [...tokenScopes, 'admin'] as const;
export type Scope = (typeof keyScopes)[number];

/** Whether a string is a scope. */
export function isScope(word: string): word is Scope {
  return (keyScopes as readonly string[]).includes(word);
}

/** The authenticated sender of a request. */
export interface Caller {
  readonly tenantId: string;
  /** The visitor. `undefined` for an API key, which has access to its whole tenant. */
  readonly subject: string | undefined;
  /** Stable name for limits and authorship: the subject, or `key:<id>`. */
  readonly author: string;
  readonly scopes: ReadonlySet<string>;
  /** When the token expires, in milliseconds since the epoch. `undefined` for an API key. */
  readonly expiresAtMs: number | undefined;
}

/** The name under which the requests of a caller are counted and limited. */
export function limitKeyOf({ tenantId, author }: Caller): string {
  return `${tenantId}\n${author}`;
}

/** Who did something, for the audit log. */
export function actorOf({ tenantId, author }: Caller): {
  readonly actor: string;
  readonly tenant_id: string;
} {
  return { actor: author, tenant_id: tenantId };
}

/** Returns the threads that a caller has access to. */
export function reachOf(caller: Caller): Reach {
  return { tenantId: caller.tenantId, subject: caller.subject };
}
