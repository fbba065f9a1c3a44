import { createKey } from '../auth/api-keys.ts';
import { keyScopes } from '../auth/caller.ts';
import { readOptions, readScopes, UsageError } from './arguments.ts';

/**
 * `agent-chat-service key`: creates an API key. Prints the entry to standard output and the rest to standard error.
 */
export async function key(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ['tenant', 'scope', 'id']);
  if (!options.tenant) throw new UsageError('--tenant is required');
  if (!options.scope) throw new UsageError('--scope is required');
  if (options.id !== undefined && !/^[\w.-]{1,100}$/.test(options.id)) {
    throw new UsageError('--id must be letters, digits, ".", "_" or "-"');
  }
  const { key, entry } = createKey({
    tenantId: options.tenant,
    scopes: readScopes(options.scope, keyScopes),
    ...(options.id === undefined ? {} : { id: options.id }),
  });
  console.error('The key, shown this once:');
  console.log(key);
  console.error('Its entry for API_KEYS_FILE, {"keys":[…]}:');
  console.log(JSON.stringify(entry));
  return Promise.resolve(0);
}
