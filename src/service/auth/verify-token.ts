import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { unauthorized, unavailable } from '../errors/problem.ts';
import type { Caller } from './caller.ts';
import { isKeySetError, describeKeySetError, remoteKeySet, type KeySet } from './key-set.ts';

/** Settings for token verification. */
export interface TokenSettings {
  readonly jwtSecret: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly jwtAudience: string | undefined;
  readonly jwtIssuer: string | undefined;
}

/** Allowed clock difference. */
const clockToleranceSeconds = 5;

/**
 * Creates a function that verifies a JWT and returns its caller. HS256 tokens need the secret; RS256 and
 * EdDSA tokens need the key set. The token never chooses its own algorithm.
 * @param report receives key set errors while cached keys are used
 * @assumed `sub`, `tenant_id` and `exp` are required; `scope` is a space-separated list
 */
export function createTokenVerifier(
  settings: TokenSettings,
  report: (error: Error) => void = () => undefined,
): (token: string) => Promise<Caller> {
  const secret = settings.jwtSecret === undefined ? undefined : new TextEncoder().encode(settings.jwtSecret);
  const { jwksUrl } = settings;
  const keySet =
    jwksUrl === undefined
      ? undefined
      : remoteKeySet(jwksUrl, (error) => report(describeKeySetError(jwksUrl, error)));
  const options = {
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp', 'sub', 'tenant_id'],
    ...(settings.jwtAudience === undefined ? {} : { audience: settings.jwtAudience }),
    ...(settings.jwtIssuer === undefined ? {} : { issuer: settings.jwtIssuer }),
  };
  const verify = async (token: string) => {
    const symmetric = decodeProtectedHeader(token).alg === 'HS256';
    if (symmetric && secret) return jwtVerify(token, secret, { ...options, algorithms: ['HS256'] });
    if (!symmetric && keySet) return verifyByKeySet(token, keySet, options);
    throw unauthorized();
  };

  return async (token) => {
    try {
      const { payload } = await verify(token);
      const { sub, tenant_id: tenantId, scope, exp = 0 } = payload;
      if (!isValidSubject(sub) || !isValidSubject(tenantId)) throw unauthorized();
      const words = typeof scope === 'string' ? scope.split(' ') : [];
      const expiresAtMs = (exp + clockToleranceSeconds) * 1000;
      return { tenantId, subject: sub, author: sub, scopes: new Set(words), expiresAtMs };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw unauthorized('the token has expired', 'token_expired');
      if (isKeySetError(error)) {
        throw unavailable('the key set cannot be fetched', describeKeySetError(jwksUrl, error));
      }
      throw unauthorized();
    }
  };
}

/** Signs a token with the shared secret; `lifetime` in seconds. For development, the playground and tests. */
export function signToken(
  secret: string,
  claims: {
    subject: string;
    tenantId: string;
    scopes: readonly string[];
    audience?: string;
    issuer?: string;
  },
  lifetime: number,
): Promise<string> {
  const token = new SignJWT({ tenant_id: claims.tenantId, scope: claims.scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(claims.subject)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime);
  if (claims.audience !== undefined) token.setAudience(claims.audience);
  if (claims.issuer !== undefined) token.setIssuer(claims.issuer);
  return token.sign(new TextEncoder().encode(secret));
}

function verifyByKeySet(token: string, keySet: KeySet, options: object) {
  return jwtVerify(token, keySet, { ...options, algorithms: ['RS256', 'EdDSA'] });
}

/** Whether a value is a valid `sub` or `tenant_id`. The prefix `key:` is reserved for API keys. */
export function isValidSubject(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= 256 &&
    !value.includes('\u0000') &&
    !value.startsWith('key:')
  );
}
