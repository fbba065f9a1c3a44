import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

/** Cached keys are refreshed after this time, so revoked keys stop working. */
const cacheMaxAgeMs = 600_000;
/** How long cached keys stay valid while the key set cannot be fetched. */
const staleMaxAgeMs = 86_400_000;
/** Delay between retries during an outage, for known and for unknown keys. */
const retryKnownMs = 30_000;
const retryUnknownMs = 5_000;

/** Finds the key for a token's header. Rejects with an error of the key set, or of the token. */
export type KeySet = JWTVerifyGetKey;
type FoundKey = Awaited<ReturnType<KeySet>>;

/**
 * Creates a remote key set. It is fetched again when a token names an unknown key. During an outage, cached
 * keys stay valid for a day, so visitors keep access.
 * @param report receives each failed fetch while cached keys are used
 */
export function remoteKeySet(address: string, report: (error: unknown) => void): KeySet {
  const remote = createRemoteJWKSet(new URL(address), {
    cooldownDuration: retryUnknownMs,
    cacheMaxAge: cacheMaxAgeMs,
    [customFetch]: fetchKeySet,
  });
  let fetchedAt = 0;
  let failed: { readonly at: number; readonly error: Error } | undefined;

  const fetchKey = async (...lookup: Parameters<KeySet>): Promise<FoundKey> => {
    try {
      const key = await remote(...lookup);
      [fetchedAt, failed] = [Date.now(), undefined];
      return key;
    } catch (error) {
      if (isKeySetError(error)) failed = { at: Date.now(), error };
      else [fetchedAt, failed] = [Date.now(), undefined];
      throw error;
    }
  };
  /** @throws JWKSNoMatchingKey */
  const findKnown = async (...lookup: Parameters<KeySet>): Promise<FoundKey> => {
    const known = remote.jwks();
    if (!known || Date.now() - fetchedAt > staleMaxAgeMs) throw new errors.JWKSNoMatchingKey();
    return createLocalJWKSet(known)(...lookup);
  };

  return async (...lookup) => {
    if (failed && remote.jwks()) {
      const since = Date.now() - failed.at;
      const { error } = failed;
      if (since < retryKnownMs) {
        const key = await findKnown(...lookup).catch(unlessNone);
        if (key) return key;
        // The key may have been added since the last fetch: ask again, but not too often.
        if (since < retryUnknownMs) throw error;
      }
    }
    try {
      return await fetchKey(...lookup);
    } catch (error) {
      const key = isKeySetError(error) && (await findKnown(...lookup).catch(unlessNone));
      if (!key) throw error;
      report(error);
      return key;
    }
  };
}

function unlessNone(error: unknown): undefined {
  if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
}

/** Whether the key set could not be fetched: not the caller's error. */
export function isKeySetError(error: unknown): error is Error {
  if (error instanceof KeySetStatusError) return true;
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  if (error instanceof errors.JOSEError) return error.code === 'ERR_JOSE_GENERIC';
  return error instanceof TypeError && error.message.includes('fetch');
}

/** Describes a key set error for the log: the URL and the reasons, down to the network error. */
export function describeKeySetError(address: string | undefined, error: unknown): Error {
  const { origin, pathname } = new URL(address ?? 'about:blank');
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const reasons = [error, inner].filter((one) => one instanceof Error).map((one) => one.message || one.name);
  return new Error(`JWKS_URL ${origin}${pathname}: ${reasons.join(': ')}`, { cause: error });
}

/** Fetches a key set once, to find a wrong address early. Resolves with what is wrong, or with `undefined`. */
export async function checkKeySet(address: string): Promise<Error | undefined> {
  try {
    await createRemoteJWKSet(new URL(address), { [customFetch]: fetchKeySet }).reload();
    return undefined;
  } catch (error) {
    return describeKeySetError(address, error);
  }
}

/** Fetches the key set. Reports a status other than 200. */
async function fetchKeySet(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status !== 200) throw new KeySetStatusError(`it answered ${response.status} instead of 200`);
  return response;
}

class KeySetStatusError extends Error {
  override readonly name = 'KeySetStatusError';
}
