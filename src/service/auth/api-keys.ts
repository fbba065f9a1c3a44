import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { readJsonFile, SettingsError } from '../settings.ts';
import { problems } from '../errors/validation.ts';
import { serverPrefix } from '../storage/message-author.ts';
import { isScope, type Caller } from './caller.ts';

const keysFileSchema = z.object({
  keys: z.array(
    z.object({
      id: z.string().check(z.regex(/^[\w.-]{1,100}$/, { error: 'must be letters, digits, ".", "_" or "-"' })),
      hash: z
        .string()
        .check(z.regex(/^sha256:[0-9a-f]{64}$/, { error: 'must be "sha256:" and 64 hexadecimal digits' })),
      tenant_id: z.string().check(z.minLength(1)),
      scope: z.string(),
    }),
  ),
});

/** One entry of the key file. */
export type KeyEntry = z.infer<typeof keysFileSchema>['keys'][number];

/** Prefix of every key. It distinguishes keys from JWTs and lets secret scanners find leaked keys. */
export const keyPrefix = 'ack_';

/** Creates a key of 256 random bits and its file entry. The key itself is not stored. */
export function createKey(values: { id?: string; tenantId: string; scopes: readonly string[] }): {
  key: string;
  entry: KeyEntry;
} {
  const key = keyPrefix + randomBytes(32).toString('base64url');
  const id = values.id ?? `key-${randomBytes(4).toString('hex')}`;
  return {
    key,
    entry: {
      id,
      hash: `sha256:${digest(key).toString('hex')}`,
      tenant_id: values.tenantId,
      scope: values.scopes.join(' '),
    },
  };
}

const formOfFile =
  'the file must be an object, like {"keys":[…]}, with an entry of "agent-chat-service key" for each key';

/** Reads the API keys of servers. @throws SettingsError with the file and every error in it */
export function readKeys(file: string): readonly KeyEntry[] {
  const value = readJsonFile('API_KEYS_FILE', file);
  const result = z.safeParse(keysFileSchema, value);
  if (!result.success) {
    throw new SettingsError(
      result.error.issues
        .flatMap((issue) => problems(issue, [], value))
        .map(
          ({ loc, msg }) =>
            `API_KEYS_FILE ${file}: ${loc.length < 2 ? formOfFile : `${loc.join('.')} ${msg}`}`,
        ),
    );
  }
  const errors = result.data.keys.flatMap((entry) =>
    entry.scope
      .split(' ')
      .filter((word) => word !== '' && !isScope(word))
      .map((word) => `API_KEYS_FILE ${file}: key ${entry.id} has the unknown scope "${word}"`),
  );
  if (errors.length > 0) throw new SettingsError(errors);
  return result.data.keys;
}

/** Creates a function that looks up the caller of a key, in constant time. */
export function createKeyVerifier(entries: readonly KeyEntry[]): (key: string) => Caller | undefined {
  const known = entries.map((entry) => ({
    digest: Buffer.from(entry.hash.slice('sha256:'.length), 'hex'),
    caller: {
      tenantId: entry.tenant_id,
      subject: undefined,
      author: serverPrefix + entry.id,
      scopes: new Set(entry.scope.split(' ').filter((word) => word !== '')),
      expiresAtMs: undefined,
    },
  }));
  return (key) => {
    const hash = digest(key);
    let found: Caller | undefined;
    for (const entry of known) if (timingSafeEqual(entry.digest, hash)) found = entry.caller;
    return found;
  };
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
