import type { Reach } from '../storage/threads.ts';

/** What a token may allow. @assumed the interface names no scopes */
export const scopes = ['run', 'callback', 'notify', 'config'] as const;
export type Scope = (typeof scopes)[number];

/** Whether a word is a scope. */
export function isScope(word: string): word is Scope {
  return (scopes as readonly string[]).includes(word);
}

/** Who asks, after their token was found good. */
export interface Caller {
  readonly tenantId: string;
  /** The visitor; `undefined` for a server's key, which reaches its whole tenant. */
  readonly subject: string | undefined;
  /** Stable name for limits and authorship: the subject, or `key:<id>`. */
  readonly author: string;
  readonly scopes: ReadonlySet<string>;
  /** When the token stops to be good, in milliseconds since the epoch; `undefined` for a server's key. */
  readonly expiresAtMs: number | undefined;
}

/** What a caller reaches. */
export function reachOf(caller: Caller): Reach {
  return { tenantId: caller.tenantId, subject: caller.subject };
}
