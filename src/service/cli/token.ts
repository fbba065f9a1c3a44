import { scopes } from '../auth/caller.ts';
import { signToken } from '../auth/verify-token.ts';
import { SettingsError } from '../settings.ts';
import { readDuration, readOptions, readScopes, UsageError } from './arguments.ts';

/** `agent-chat token`: prints a token for development. */
export async function token(words: readonly string[]): Promise<number> {
  const options = readOptions(words, ['sub', 'tenant', 'scope', 'ttl']);
  if (!options.sub) throw new UsageError('--sub is required');
  if (!options.tenant) throw new UsageError('--tenant is required');
  const granted = readScopes(options.scope ?? 'run,callback,notify', scopes);
  const lifetime = readDuration(options.ttl ?? '10m', '--ttl');
  const { JWT_SECRET: secret, JWT_AUDIENCE: audience, JWT_ISSUER: issuer } = process.env;
  if (!secret) throw new SettingsError(['JWT_SECRET must be set to the secret of the service']);
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
