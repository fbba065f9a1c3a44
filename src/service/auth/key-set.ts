import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

/** Milliseconds after which the key set is fetched again, so that a key taken out of it is believed no longer. */
const cacheMaxAgeMs = 600_000;
/** Milliseconds for which the keys that were there last stay good while the key set cannot be fetched. */
const staleMaxAgeMs = 86_400_000;
/** Milliseconds between two tries while it is away: for a key that is known, and for one that is not. */
const retryKnownMs = 30_000;
const retryUnknownMs = 5_000;

/** Where keys are found, by the header of a token. Rejects with what is wrong with the key set, or with the token. */
export type KeySet = JWTVerifyGetKey;
type FoundKey = Awaited<ReturnType<KeySet>>;

/**
 * The key set at an address, fetched again when a token names a key it does not hold. While it cannot be fetched the keys
 * that were there last stay good for a day: who has a token is not turned away for an outage elsewhere.
 * @param report hears of each try that failed while known keys were used
 */
export function remoteKeySet(address: string, report: (error: unknown) => void): KeySet {
  const remote = createRemoteJWKSet(new URL(address), {
    cooldownDuration: retryUnknownMs,
    cacheMaxAge: cacheMaxAgeMs,
    [customFetch]: fetchKeySet,
  });
  let fetchedAt = 0;
  let failed: { readonly at: number; readonly error: Error } | undefined;

  const ask = async (...asked: Parameters<KeySet>): Promise<FoundKey> => {
    try {
      const key = await remote(...asked);
      [fetchedAt, failed] = [Date.now(), undefined];
      return key;
    } catch (error) {
      if (isKeySetError(error)) failed = { at: Date.now(), error };
      else [fetchedAt, failed] = [Date.now(), undefined];
      throw error;
    }
  };
  /** @throws JWKSNoMatchingKey */
  const findKnown = async (...asked: Parameters<KeySet>): Promise<FoundKey> => {
    const known = remote.jwks();
    if (!known || Date.now() - fetchedAt > staleMaxAgeMs) throw new errors.JWKSNoMatchingKey();
    return createLocalJWKSet(known)(...asked);
  };

  return async (...asked) => {
    if (failed && remote.jwks()) {
      const since = Date.now() - failed.at;
      const { error } = failed;
      if (since < retryKnownMs) {
        const key = await findKnown(...asked).catch(unlessNone);
        if (key) return key;
        // Nobody can tell whether a key that is not known has been added since.
        if (since < retryUnknownMs) throw error;
      }
    }
    try {
      return await ask(...asked);
    } catch (error) {
      const key = isKeySetError(error) && (await findKnown(...asked).catch(unlessNone));
      if (!key) throw error;
      report(error);
      return key;
    }
  };
}

function unlessNone(error: unknown): undefined {
  if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
}

/** Whether the key set itself was out of reach, which is no fault of the caller's. */
export function isKeySetError(error: unknown): error is Error {
  if (error instanceof KeySetStatusError) return true;
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  if (error instanceof errors.JOSEError) return error.code === 'ERR_JOSE_GENERIC';
  return error instanceof TypeError && error.message.includes('fetch');
}

/** What the log tells: which address, and what was wrong there, down to the network's own words. */
export function describeKeySetError(address: string | undefined, error: unknown): Error {
  const { origin, pathname } = new URL(address ?? 'about:blank');
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const reasons = [error, inner].filter((one) => one instanceof Error).map((one) => one.message || one.name);
  return new Error(`JWKS_URL ${origin}${pathname}: ${reasons.join(': ')}`, { cause: error });
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
