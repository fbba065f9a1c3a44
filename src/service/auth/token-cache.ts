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
  const known = new Map<
    string,
    { readonly caller: Caller; readonly since: number; readonly until: number }
  >();
  /** Checks under way: requests of one visitor that arrive together share one. */
  const checks = new Map<string, Promise<Caller>>();
  const check = async (token: string): Promise<Caller> => {
    known.delete(token);
    const caller = await verify(token);
    const since = now();
    known.set(token, { caller, since, until: Math.min(since + maxAgeMs, caller.expiresAtMs ?? Infinity) });
    if (known.size > maxTokens) {
      const [oldest = ''] = known.keys();
      known.delete(oldest);
    }
    return caller;
  };
  return (token) => {
    const entry = known.get(token);
    // the clock may have been set back
    if (entry && now() >= entry.since && now() < entry.until) return Promise.resolve(entry.caller);
    const running = checks.get(token);
    if (running) return running;
    const checking = check(token).finally(() => checks.delete(token));
    checks.set(token, checking);
    return checking;
  };
}
