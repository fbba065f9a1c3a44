import { isIP } from 'node:net';
import { readSecret, readText, type Environment } from './setting-reader.ts';

/** One environment variable, for `--help` and the operations page. */
export interface SettingRow {
  readonly variable: string;
  /** The default as the operator reads it; `–`: none. */
  readonly fallback: string;
  readonly meaning: string;
}

/** A setting: how its variable is read, and what the operator reads about it. */
export interface Setting<Value> {
  /** The variable; a secret has a second one, for its file. */
  readonly rows: readonly SettingRow[];
  /** @throws Error with a line for the operator */
  readonly read: (environment: Environment) => Value;
}

/** Converts the text of a variable. @throws Error that says what the variable must be */
type Parse<Value> = (text: string) => Value;

const webProtocols = ['http:', 'https:'];
const none = '–';

/** A setting with a default. @param fallback parsed like a text of the operator */
export function setting<Value>(
  variable: string,
  fallback: string,
  meaning: string,
  parse: Parse<Value>,
): Setting<Value> {
  return {
    rows: [{ variable, fallback: fallback || none, meaning }],
    read: (environment) => parsed(variable, readText(environment, variable) ?? fallback, parse),
  };
}

export function text(variable: string, fallback: string, meaning: string): Setting<string> {
  return setting(variable, fallback, meaning, (value) => value);
}

/** A setting that may be absent. @param shown what the operator reads as its default */
export function optional(
  variable: string,
  meaning: string,
  { parse = (text) => text, shown = none }: { readonly parse?: Parse<string>; readonly shown?: string } = {},
): Setting<string | undefined> {
  return {
    rows: [{ variable, fallback: shown, meaning }],
    read: (environment) => parsed(variable, readText(environment, variable), parse),
  };
}

/** A setting that may be absent, and may be in a file. */
export function secret(
  variable: string,
  meaning: string,
  parse: Parse<string>,
  meaningOfFile = `file that contains ${variable}`,
): Setting<string | undefined> {
  return {
    rows: [
      { variable, fallback: none, meaning },
      { variable: `${variable}_FILE`, fallback: none, meaning: meaningOfFile },
    ],
    read: (environment) => parsed(variable, readSecret(environment, variable), parse),
  };
}

export function integer(
  variable: string,
  fallback: number,
  meaning: string,
  { least = 0, most }: { readonly least?: number; readonly most?: number } = {},
): Setting<number> {
  return setting(variable, String(fallback), meaning, (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= (most ?? Number.MAX_SAFE_INTEGER)) return number;
    const upper = most === undefined ? '' : ` to ${most}`;
    throw new Error(`must be a whole number from ${least}${upper}, not "${text}": ${meaning}`);
  });
}

/** A text that matches a pattern. @param words what matches it, for the error */
export function matching(allowed: RegExp, words: string): Parse<string> {
  return (text) => {
    if (!allowed.test(text)) throw new Error(`must be ${words}, not "${text}"`);
    return text;
  };
}

/** A URL for requests. They are impossible with a user or password in it. */
export function webUrl(text: string): string {
  const { username, password } = urlOf(text, webProtocols);
  if (username + password === '') return text;
  throw new Error('must not contain a user or password: requests to such a URL are impossible');
}

/** The URL of a database, which may contain a password. */
export function databaseAddress(...protocols: readonly string[]): Parse<string> {
  return (text) => {
    if (hasRawPassword(text))
      throw new Error('must have / ? # in its user and password percent-encoded, as %2F %3F %23');
    if (/^\w+:\/\/[^/?#]*,[^/?#@]*(?:[/?#]|$)/.test(text))
      throw new Error('must name one host, such as a virtual address that follows the primary');
    urlOf(text, protocols);
    return text;
  };
}

/** Which `X-Forwarded-*` headers are trusted. */
export function proxies(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^\d+$/.test(text)) return Number(text);
  if (text.split(',').every((one) => isNetwork(one.trim()))) return text;
  throw new Error(
    `must be true, false, a number of proxies, or their addresses (10.0.0.0/8, 192.0.2.7), not "${text}"`,
  );
}

function parsed<Value>(variable: string, text: string, parse: Parse<Value>): Value;
function parsed<Value>(variable: string, text: string | undefined, parse: Parse<Value>): Value | undefined;
function parsed<Value>(variable: string, text: string | undefined, parse: Parse<Value>): Value | undefined {
  try {
    return text === undefined ? undefined : parse(text);
  } catch (error) {
    throw new Error(`${variable} ${error instanceof Error ? error.message : String(error)}`);
  }
}

function urlOf(text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && protocols.includes(url.protocol)) return url;
  throw new Error(`must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
}

/** Whether a password seems to contain a raw `/`, `?` or `#`: an "@" follows it, outside the values of the query. */
function hasRawPassword(url: string): boolean {
  const [, tail = ''] = /^[a-z]+:\/\/[^/?#]*(.*)$/s.exec(url) ?? [];
  return tail.replace(/=[^&]*/g, '').includes('@');
}

/** Whether a value is an address, a network, or one of Fastify's named networks. */
function isNetwork(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', range, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (range === undefined) return true;
  return /^\d+$/.test(range)
    ? Number(range) >= 1 && Number(range) <= (family === 4 ? 32 : 128)
    : isIP(range) === 4;
}
