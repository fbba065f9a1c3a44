import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  SignJWT,
  type JWTVerifyGetKey,
} from 'jose';
import { unauthorized, unavailable } from '../problem.ts';
import type { Caller } from './caller.ts';

/** Where the keys of tokens come from. */
export interface TokenSettings {
  readonly jwtSecret: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly jwtAudience: string | undefined;
  readonly jwtIssuer: string | undefined;
}

/** Seconds by which clocks may differ. */
const clockTolerance = 5;

/**
 * Makes the function that turns a JWT into its caller. HS256 tokens need the secret, RS256 and EdDSA tokens the key
 * set, which is fetched again when a token names a key it does not hold. The algorithm is never the token's own choice.
 * @assumed claims `sub`, `tenant_id` and `exp` are required; `scope` holds words separated by blanks
 */
export function tokenVerifier(settings: TokenSettings): (token: string) => Promise<Caller> {
  const secret = settings.jwtSecret === undefined ? undefined : new TextEncoder().encode(settings.jwtSecret);
  const keySet =
    settings.jwksUrl === undefined
      ? undefined
      : createRemoteJWKSet(new URL(settings.jwksUrl), {
          cooldownDuration: 5_000,
          [customFetch]: fetchKeySet,
        });
  const options = {
    clockTolerance,
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
      if (!isName(sub) || !isName(tenantId)) throw unauthorized();
      const words = typeof scope === 'string' ? scope.split(' ').filter((word) => word !== '') : [];
      const until = (exp + clockTolerance) * 1000;
      return { tenantId, subject: sub, author: sub, scopes: new Set(words), until };
    } catch (fault) {
      if (fault instanceof errors.JWTExpired) throw unauthorized('the token has expired', 'token_expired');
      if (isKeySetFault(fault)) {
        throw unavailable('the keys of tokens cannot be fetched', keySetCause(settings.jwksUrl, fault));
      }
      throw unauthorized();
    }
  };
}

/** Signs a token with the shared secret; `lifetime` in seconds. For development, the playground, and hosts in a hurry. */
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

function verifyByKeySet(token: string, keySet: JWTVerifyGetKey, options: object) {
  return jwtVerify(token, keySet, { ...options, algorithms: ['RS256', 'EdDSA'] });
}

/** Whether a token may carry this as its `sub` or `tenant_id`. `key:` is kept for the servers' own keys. */
export function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= 256 &&
    !value.includes('\u0000') &&
    !value.startsWith('key:')
  );
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

/** What the log tells: which address, and what was wrong there, down to the network's own words. */
function keySetCause(address: string | undefined, fault: unknown): Error {
  const { origin, pathname } = new URL(address ?? 'about:blank');
  const inner = fault instanceof Error && fault.cause instanceof Error ? fault.cause : undefined;
  const reasons = [fault, inner].filter((one) => one instanceof Error).map((one) => one.message || one.name);
  return new Error(`JWKS_URL ${origin}${pathname}: ${reasons.join(': ')}`, { cause: fault });
}

/** Whether the key set itself was out of reach, which is no fault of the caller's. */
function isKeySetFault(fault: unknown): boolean {
  if (fault instanceof KeySetStatusError) return true;
  if (fault instanceof errors.JWKSTimeout || fault instanceof errors.JWKSInvalid) return true;
  if (fault instanceof errors.JOSEError) return fault.code === 'ERR_JOSE_GENERIC';
  return fault instanceof TypeError && fault.message.includes('fetch');
}
