import type { Reach } from '../storage/threads.ts';

/** The scopes of a token. @assumed the interface defines no scopes */
export const scopes = ['run', 'callback', 'notify', 'config'] as const;
export type Scope = (typeof scopes)[number];

/** Whether a string is a scope. */
export function isScope(word: string): word is Scope {
  return (scopes as readonly string[]).includes(word);
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

/** Returns the threads that a caller has access to. */
export function reachOf(caller: Caller): Reach {
  return { tenantId: caller.tenantId, subject: caller.subject };
}
