import { scopes } from '../auth/caller.ts';
import { isValidSubject, signToken } from '../auth/verify-token.ts';
import { readText, secretErrors, SettingsError } from '../settings.ts';
import { readDuration, readOptions, readScopes, UsageError } from './arguments.ts';

/** `agent-chat token`: prints a token for development. */
export async function token(words: readonly string[]): Promise<number> {
  const options = readOptions(words, ['sub', 'tenant', 'scope', 'ttl']);
  if (!options.sub) throw new UsageError('--sub is required');
  if (!options.tenant) throw new UsageError('--tenant is required');
  for (const option of ['sub', 'tenant'] as const) {
    if (isValidSubject(options[option])) continue;
    throw new UsageError(`--${option} must have at most 256 characters and not begin with "key:"`);
  }
  const granted = readScopes(options.scope ?? 'run,callback,notify', scopes);
  const lifetime = readDuration(options.ttl ?? '10m', '--ttl');
  const secret = readText(process.env, 'JWT_SECRET');
  const audience = readText(process.env, 'JWT_AUDIENCE');
  const issuer = readText(process.env, 'JWT_ISSUER');
  if (secret === undefined) throw new SettingsError(['JWT_SECRET must be set to the secret of the service']);
  const errors = secretErrors(secret);
  if (errors.length > 0) throw new SettingsError(errors);
  const claims = {
    subject: options.sub,
    tenantId: options.tenant,
    scopes: granted,
    ...(audience ? { audience } : {}),
    ...(issuer ? { issuer } : {}),
  };
  console.log(await signToken(secret, claims, lifetime));
  return 0;
}
