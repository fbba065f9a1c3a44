import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A member that is the name of an environment variable. Its error does not quote it, because it may be a secret. */
export const variableField = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w*$/, { error: 'must be the name of an environment variable, not its value' }));

/** Returns a trimmed variable, or `undefined` if it is empty. */
export function readText(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

/**
 * Returns a secret: the variable, or the content of the file that `<name>_FILE` names, trimmed.
 * @throws Error with a line for the operator, which never contains the secret
 */
export function readSecret(environment: Environment, name: string): string | undefined {
  const value = readText(environment, name);
  const file = readText(environment, `${name}_FILE`);
  if (file === undefined) return value;
  if (value !== undefined) throw new Error(`${name} and ${name}_FILE must not both be set`);
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name}_FILE ${file} cannot be read: ${reason}`, { cause });
  }
  if (content === '') throw new Error(`${name}_FILE ${file} is empty`);
  return content;
}
