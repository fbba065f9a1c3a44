import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

/** Milliseconds after which the key set is fetched again, so that a key taken out of it is believed no longer. */
const freshFor = 600_000;
/** Milliseconds for which the keys that were there last stay good while the key set cannot be fetched. */
const goodWhileAway = 86_400_000;
/** Milliseconds between two tries while it is away: for a key that is known, and for one that is not. */
const triesForKnown = 30_000;
const triesForUnknown = 5_000;

/** Where keys are found, by the header of a token. Rejects with what is wrong with the key set, or with the token. */
export type KeySet = JWTVerifyGetKey;
type FoundKey = Awaited<ReturnType<KeySet>>;

/**
 * The key set at an address, fetched again when a token names a key it does not hold. While it cannot be fetched the keys
 * that were there last stay good for a day: who has a token is not turned away for an outage elsewhere.
 * @param report hears of each try that failed while known keys were used
 */
export function remoteKeySet(address: string, report: (fault: unknown) => void): KeySet {
  const remote = createRemoteJWKSet(new URL(address), {
    cooldownDuration: triesForUnknown,
    cacheMaxAge: freshFor,
    [customFetch]: fetchKeySet,
  });
  let fetchedAt = 0;
  let failed: { readonly at: number; readonly fault: Error } | undefined;

  const ask = async (...asked: Parameters<KeySet>): Promise<FoundKey> => {
    try {
      const key = await remote(...asked);
      [fetchedAt, failed] = [Date.now(), undefined];
      return key;
    } catch (fault) {
      if (isKeySetFault(fault)) failed = { at: Date.now(), fault };
      else [fetchedAt, failed] = [Date.now(), undefined];
      throw fault;
    }
  };
  /** @throws JWKSNoMatchingKey */
  const findKnown = async (...asked: Parameters<KeySet>): Promise<FoundKey> => {
    const known = remote.jwks();
    if (!known || Date.now() - fetchedAt > goodWhileAway) throw new errors.JWKSNoMatchingKey();
    return createLocalJWKSet(known)(...asked);
  };

  return async (...asked) => {
    if (failed && remote.jwks()) {
      const since = Date.now() - failed.at;
      const { fault } = failed;
      if (since < triesForKnown) {
        const key = await findKnown(...asked).catch(unlessNone);
        if (key) return key;
        // Nobody can tell whether a key that is not known has been added since.
        if (since < triesForUnknown) throw fault;
      }
    }
    try {
      return await ask(...asked);
    } catch (fault) {
      const key = isKeySetFault(fault) && (await findKnown(...asked).catch(unlessNone));
      if (!key) throw fault;
      report(fault);
      return key;
    }
  };
}

function unlessNone(fault: unknown): undefined {
  if (!(fault instanceof errors.JWKSNoMatchingKey)) throw fault;
}

/** Whether the key set itself was out of reach, which is no fault of the caller's. */
export function isKeySetFault(fault: unknown): fault is Error {
  if (fault instanceof KeySetStatusError) return true;
  if (fault instanceof errors.JWKSTimeout || fault instanceof errors.JWKSInvalid) return true;
  if (fault instanceof errors.JOSEError) return fault.code === 'ERR_JOSE_GENERIC';
  return fault instanceof TypeError && fault.message.includes('fetch');
}

/** What the log tells: which address, and what was wrong there, down to the network's own words. */
export function keySetCause(address: string | undefined, fault: unknown): Error {
  const { origin, pathname } = new URL(address ?? 'about:blank');
  const inner = fault instanceof Error && fault.cause instanceof Error ? fault.cause : undefined;
  const reasons = [fault, inner].filter((one) => one instanceof Error).map((one) => one.message || one.name);
  return new Error(`JWKS_URL ${origin}${pathname}: ${reasons.join(': ')}`, { cause: fault });
}

/** The key set's own answer, so that the log can name a status that is not 200. */
async function fetchKeySet(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status !== 200) throw new KeySetStatusError(`it answered ${response.status} instead of 200`);
  return response;
}

class KeySetStatusError extends Error {
  override readonly name = 'KeySetStatusError';
}
