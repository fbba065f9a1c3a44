import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { Problem, unauthorized, unavailable } from '../errors/problem.ts';
import { agentPrefix, serverPrefix } from '../storage/message-author.ts';
import type { Caller } from './caller.ts';
import { describeTokenError } from './describe-token-error.ts';
import { isKeySetError, describeKeySetError, remoteKeySet, type KeySet } from './key-set.ts';

/** Names of the claims of a token. */
export interface ClaimNames {
  /** Claim with the visitor; default: `sub`. */
  readonly jwtSubjectClaim?: string;
  /** Claim with the tenant; default: `tenant_id`. */
  readonly jwtTenantClaim?: string;
  /** Claim with the scopes; default: `scope`, or else `scp`. */
  readonly jwtScopeClaim?: string | undefined;
}

/** Settings for token verification. */
export interface TokenSettings extends ClaimNames {
  readonly jwtSecret: string | undefined;
  /** The secret before a rotation; its tokens stay valid. */
  readonly jwtSecretPrevious?: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly jwtAudience: string | undefined;
  readonly jwtIssuer: string | undefined;
  /** Seconds after its issue at which a token ends; 0 and absent: no limit. */
  readonly jwtMaxAge?: number;
}

/** Allowed clock difference. */
const clockToleranceSeconds = 5;

/**
 * Creates a function that verifies a JWT and returns its caller. HS256 tokens need the secret; RS256, ES256
 * and EdDSA tokens need the key set. The token never chooses its own algorithm.
 * @param report receives key set errors while cached keys are used
 * @assumed `sub`, `tenant_id` (or the claims that the settings name) and `exp` are required; `scope` or `scp` is a list
 * or a string separated by spaces
 */
export function createTokenVerifier(
  settings: TokenSettings,
  report: (error: Error) => void = () => undefined,
): (token: string) => Promise<Caller> {
  const secrets = [settings.jwtSecret, settings.jwtSecretPrevious]
    .filter((secret) => secret !== undefined)
    .map(importSecret);
  const { jwksUrl } = settings;
  const keySet =
    jwksUrl === undefined
      ? undefined
      : remoteKeySet(jwksUrl, (error) => report(describeKeySetError(jwksUrl, error)));
  const { jwtSubjectClaim = 'sub', jwtTenantClaim = 'tenant_id', jwtScopeClaim, jwtMaxAge = 0 } = settings;
  const options = {
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp', jwtSubjectClaim, jwtTenantClaim],
    ...(jwtMaxAge === 0 ? {} : { maxTokenAge: jwtMaxAge }),
    ...(settings.jwtAudience === undefined ? {} : { audience: settings.jwtAudience }),
    ...(settings.jwtIssuer === undefined ? {} : { issuer: settings.jwtIssuer }),
  };
  const verify = async (token: string) => {
    const symmetric = decodeProtectedHeader(token).alg === 'HS256';
    if (symmetric && secrets.length > 0) return verifyBySecrets(token, secrets, options);
    if (!symmetric && keySet) return verifyByKeySet(token, keySet, options);
    throw unauthorized(
      symmetric
        ? 'the token is signed with HS256, and JWT_SECRET is not set'
        : 'the token is not signed with HS256, and JWKS_URL is not set',
    );
  };

  return async (token) => {
    try {
      const { payload } = await verify(token);
      const { exp = 0, iat = 0, [jwtSubjectClaim]: subject, [jwtTenantClaim]: tenantId } = payload;
      if (!isValidSubject(subject) || !isValidSubject(tenantId)) {
        const claim = isValidSubject(subject) ? jwtTenantClaim : jwtSubjectClaim;
        throw unauthorized(
          `the claim "${claim}" must be a string of 1 to 256 characters that begins with neither "key:" nor "agent:"`,
        );
      }
      const scopes = scopesOf(
        jwtScopeClaim === undefined ? (payload['scope'] ?? payload['scp']) : payload[jwtScopeClaim],
      );
      const end = jwtMaxAge === 0 ? exp : Math.min(exp, iat + jwtMaxAge);
      const expiresAtMs = (end + clockToleranceSeconds) * 1000;
      return { tenantId, subject, author: subject, scopes, expiresAtMs };
    } catch (error) {
      if (error instanceof Problem) throw error;
      const reason = describeTokenError(error);
      if (error instanceof errors.JWTExpired)
        throw unauthorized(reason, { message: 'the token has expired', code: 'token_expired' });
      if (isKeySetError(error)) {
        throw unavailable('the key set cannot be fetched', describeKeySetError(jwksUrl, error));
      }
      throw unauthorized(reason);
    }
  };
}

/** Imports a secret once: jose would do it for each token, which takes longer than the check. */
function importSecret(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
}

/** Verifies by the first secret whose signature fits. */
async function verifyBySecrets(token: string, secrets: readonly Promise<CryptoKey>[], options: object) {
  const [secret, ...others] = secrets;
  if (secret === undefined)
    throw unauthorized('the token is signed with another secret than JWT_SECRET and JWT_SECRET_PREVIOUS');
  try {
    return await jwtVerify(token, await secret, { ...options, algorithms: ['HS256'] });
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return verifyBySecrets(token, others, options);
  }
}

function verifyByKeySet(token: string, keySet: KeySet, options: object) {
  return jwtVerify(token, keySet, { ...options, algorithms: ['RS256', 'ES256', 'EdDSA'] });
}

/** Reads a claim with scopes: a list of strings, or a string separated by spaces. @source RFC 8693, 4.2 */
function scopesOf(claim: unknown): ReadonlySet<string> {
  const names: unknown = typeof claim === 'string' ? claim.split(' ') : claim;
  if (!Array.isArray(names)) return new Set();
  // A visitor's token never administers.
  return new Set(names.filter((name) => typeof name === 'string').filter((name) => name !== 'admin'));
}

/** Whether a value is a valid `sub` or `tenant_id`. The prefixes of servers and agents are reserved. */
export function isValidSubject(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= 256 &&
    !/[\0\p{Surrogate}]/u.test(value) &&
    !value.startsWith(serverPrefix) &&
    !value.startsWith(agentPrefix)
  );
}
