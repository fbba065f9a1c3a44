import type { FastifyRequest } from 'fastify';
import { keyPrefix, createKeyVerifier, readKeys } from './api-keys.ts';
import { limitKeyOf, type Caller, type Scope } from './caller.ts';
import type { RateLimit } from './rate-limit.ts';
import { cacheCallers } from './token-cache.ts';
import { createTokenVerifier } from './verify-token.ts';
import { forbiddenScope, unauthorized } from '../errors/problem.ts';
import type { ServiceSettings } from '../settings.ts';

const maxTokenLength = 16_384;

/** The authentication of all endpoints. */
export interface Authenticator {
  /**
   * Reads the key file. Returns the number of its keys.
   * @throws SettingsError when it is invalid; the keys read before stay in force
   */
  readonly loadKeys: () => number;
  /** Checks the token alone, so that a stranger's body is never read. @throws Problem 401 */
  readonly identify: (request: FastifyRequest) => Promise<Caller>;
  /** See `ServiceContext`. */
  readonly authenticate: (request: FastifyRequest, ...oneOf: readonly Scope[]) => Promise<Caller>;
}

/**
 * Creates the authentication check of all endpoints. Without `loadKeys`, it knows no key.
 * @param report receives errors of a key set while cached keys are used
 */
export function createAuthenticator(
  settings: ServiceSettings,
  { rate, tenantRate }: { readonly rate: RateLimit; readonly tenantRate: RateLimit },
  report?: (error: Error) => void,
): Authenticator {
  const verifyToken = cacheCallers(createTokenVerifier(settings, report));
  let verifyKey = createKeyVerifier([]);
  const loadKeys = (): number => {
    const entries = settings.apiKeysFile === undefined ? [] : readKeys(settings.apiKeysFile);
    verifyKey = createKeyVerifier(entries);
    return entries.length;
  };

  const callerOf = async (header: string | undefined): Promise<Caller> => {
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined || token.length > maxTokenLength)
      throw unauthorized('the request has no header "Authorization: Bearer …" with a token');
    if (!token.startsWith(keyPrefix)) return verifyToken(token);
    const caller = verifyKey(token);
    if (!caller) throw unauthorized('the API key is not in API_KEYS_FILE');
    return caller;
  };

  const callers = new WeakMap<FastifyRequest, Caller>();
  const identify = async (request: FastifyRequest): Promise<Caller> => {
    const caller = callers.get(request) ?? (await callerOf(request.headers.authorization));
    callers.set(request, caller);
    return caller;
  };

  return {
    loadKeys,
    identify,
    async authenticate(request, ...oneOf) {
      const caller = await identify(request);
      rate.take(limitKeyOf(caller));
      tenantRate.take(caller.tenantId);
      if (!oneOf.some((scope) => caller.scopes.has(scope))) throw forbiddenScope(oneOf);
      return caller;
    },
  };
}
