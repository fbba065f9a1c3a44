import type { Caller } from './caller.ts';

/** How long a verified token is accepted without another check. A revoked key stays valid as long. */
const maxAgeMs = 30_000;
const maxTokens = 10_000;

/**
 * Remembers the callers of verified tokens, because checking a signature costs more than the rest of a request. A
 * token is never accepted after it has expired; rejected tokens are not remembered.
 */
export function cacheCallers(
  verify: (token: string) => Promise<Caller>,
  now: () => number = Date.now,
): (token: string) => Promise<Caller> {
  const known = new Map<string, { readonly caller: Caller; readonly until: number }>();
  return async (token) => {
    const entry = known.get(token);
    if (entry && now() < entry.until) return entry.caller;
    known.delete(token);
    const caller = await verify(token);
    known.set(token, { caller, until: Math.min(now() + maxAgeMs, caller.expiresAtMs ?? Infinity) });
    if (known.size > maxTokens) {
      const [oldest = ''] = known.keys();
      known.delete(oldest);
    }
    return caller;
  };
}
