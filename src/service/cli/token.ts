import { tokenScopes } from '../auth/caller.ts';
import { signToken } from '../auth/sign-token.ts';
import { isValidSubject } from '../auth/verify-token.ts';
import { readSettings, SettingsError } from '../settings.ts';
import { readDuration, readOptions, readScopes, UsageError } from './arguments.ts';

/** `agent-chat-service token`: prints a token for development. */
export async function token(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ['sub', 'tenant', 'scope', 'ttl']);
  if (!options.sub) throw new UsageError('--sub is required');
  if (!options.tenant) throw new UsageError('--tenant is required');
  for (const option of ['sub', 'tenant'] as const) {
    if (isValidSubject(options[option])) continue;
    throw new UsageError(
      `--${option} must have at most 256 characters and not begin with "key:" or "agent:"`,
    );
  }
  const scopes = readScopes(options.scope ?? 'run,callback,notify', tokenScopes);
  const lifetime = readDuration(options.ttl ?? '10m', '--ttl');
  // Settings of the playground: those of tokens may be absent.
  const settings = readSettings(process.env, { playground: true });
  const { jwtSecret: secret, jwtAudience: audience, jwtIssuer: issuer } = settings;
  if (secret === undefined) throw new SettingsError(['JWT_SECRET must be set to the secret of the service']);
  const claims = {
    subject: options.sub,
    tenantId: options.tenant,
    scopes,
    ...(audience ? { audience } : {}),
    ...(issuer ? { issuer } : {}),
  };
  console.log(await signToken(secret, claims, lifetime, settings));
  return 0;
}
