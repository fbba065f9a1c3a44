import { errors } from 'jose';

/** Settings that decide about a claim. */
const settingOfClaim: Readonly<Record<string, string>> = {
  aud: 'JWT_AUDIENCE',
  iss: 'JWT_ISSUER',
  iat: 'JWT_MAX_AGE',
};

/** Says for the log why a token was refused, without any part of it: `the claim "exp" is missing`. */
export function describeTokenError(error: unknown): string {
  if (error instanceof errors.JWTExpired) {
    if (error.claim === 'iat') return 'the token was issued longer ago than JWT_MAX_AGE allows';
    return `the token expired ${Math.round(Date.now() / 1000 - (error.payload.exp ?? 0))} s ago`;
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (reason === 'missing') return `the claim "${claim}" is missing`;
    const isEarly = claim === 'nbf' || (claim === 'iat' && reason === 'check_failed');
    if (isEarly) return 'the token is not valid yet; compare the clocks';
    const setting = settingOfClaim[claim];
    return `the claim "${claim}" ${setting === undefined ? 'is invalid' : `does not fit ${setting}`}`;
  }
  // JWKS_URL it is: `verifyBySecrets` reports a wrong signature with HS256 itself
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'the signature does not fit the key of JWKS_URL';
  if (error instanceof errors.JWKSNoMatchingKey) return 'JWKS_URL has no key with the "kid" of the token';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'the token must be signed with HS256, RS256, ES256 or EdDSA';
  return 'the token is not a JWT';
}
