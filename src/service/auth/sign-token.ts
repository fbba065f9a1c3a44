import { SignJWT } from 'jose';
import type { ClaimNames } from './verify-token.ts';

/**
 * Signs a token with the shared secret, for development, the playground and tests.
 * @param lifetime in seconds
 * @param names names of its claims, if they differ from the default
 */
export function signToken(
  secret: string,
  claims: {
    readonly subject: string;
    readonly tenantId: string;
    readonly scopes: readonly string[];
    readonly audience?: string;
    readonly issuer?: string;
  },
  lifetime: number,
  names: ClaimNames = {},
): Promise<string> {
  const { jwtSubjectClaim = 'sub', jwtTenantClaim = 'tenant_id', jwtScopeClaim = 'scope' } = names;
  const token = new SignJWT({
    [jwtSubjectClaim]: claims.subject,
    [jwtTenantClaim]: claims.tenantId,
    [jwtScopeClaim]: claims.scopes.join(' '),
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime);
  if (claims.audience !== undefined) token.setAudience(claims.audience);
  if (claims.issuer !== undefined) token.setIssuer(claims.issuer);
  return token.sign(new TextEncoder().encode(secret));
}
