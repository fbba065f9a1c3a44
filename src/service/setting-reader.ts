import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

type Environment = Readonly<Record<string, string | undefined>>;

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

/** Reads environment variables and collects their errors, one line each. */
export class SettingReader {
  readonly errors: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | undefined {
    return readText(this.#environment, name);
  }

  secret(name: string): string | undefined {
    try {
      return readSecret(this.#environment, name);
    } catch (error) {
      this.errors.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  integer(name: string, fallback: number, range: { least: number; most?: number }): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const most = range.most ?? Number.MAX_SAFE_INTEGER;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= range.least && number <= most) return number;
    const upper = range.most === undefined ? '' : ` to ${most}`;
    this.errors.push(`${name} must be a whole number from ${range.least}${upper}, not "${value}"`);
    return fallback;
  }

  url(name: string, protocols: readonly string[], value = this.text(name)): string | undefined {
    if (value === undefined) return undefined;
    if (!protocols.includes('http:') && hasRawPassword(value)) {
      this.errors.push(`${name} must have / ? # in its user and password percent-encoded, as %2F %3F %23`);
      return undefined;
    }
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) {
      const { username, password } = new URL(value);
      if (!protocols.includes('http:') || username + password === '') return value;
      this.errors.push(`${name} must not contain a user or password: requests to such a URL are impossible`);
      return undefined;
    }
    this.errors.push(
      `${name} must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return undefined;
  }

  pattern(name: string, fallback: string, allowed: RegExp, words: string): string {
    const value = this.text(name) ?? fallback;
    if (!allowed.test(value)) this.errors.push(`${name} must be ${words}, not "${value}"`);
    return value;
  }
}

/** Whether a password seems to contain `/`, `?` or `#`: an "@" after them, outside values of the query, is the one before the host. */
function hasRawPassword(value: string): boolean {
  const [, tail = ''] = /^[a-z]+:\/\/[^/?#]*(.*)$/s.exec(value) ?? [];
  return tail.replace(/=[^&]*/g, '').includes('@');
}
