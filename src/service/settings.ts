import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** All settings of the service. Names or comments give the units. */
export interface ServiceSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /**
   * Public URL of the service. Without it, the host of each request is used, and for callbacks the address
   * the service listens on.
   */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** PostgreSQL URL; absent: the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly agentsFile: string | undefined;
  readonly jwtSecret: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly jwtAudience: string | undefined;
  readonly jwtIssuer: string | undefined;
  readonly apiKeysFile: string | undefined;
  /** Seconds a run continues without a reader; 0: it ends when its last reader leaves. */
  readonly runGrace: number;
  /** Seconds for which the events of a finished run can be replayed. */
  readonly runEventsTtl: number;
  /** Bytes. */
  readonly bodyLimit: number;
  /** Characters of text in one message. */
  readonly messageLimit: number;
  /** Bytes of one event. */
  readonly eventLimit: number;
  /** Requests a minute for one subject; 0: no limit. */
  readonly rateLimit: number;
  /** Concurrent runs, and followed threads, of one subject of a tenant on each instance; 0: no limit. */
  readonly runLimit: number;
  /** Days a thread is kept after its last message; 0: forever. */
  readonly threadTtl: number;
  /** Seconds that a stop waits for runs to finish; 0: they end at once. */
  readonly drainTimeout: number;
  /** Seconds of a run's lease on a shared database. */
  readonly runLease: number;
  /** Whether to trust `X-Forwarded-*`: `true`, a number of hops, or addresses. */
  readonly trustProxy: boolean | number | string;
  readonly logLevel: string;
  readonly productPath: string;
  readonly identifierPrefix: string;
  /** Detector URLs by guardrail. */
  readonly detectorUrls: Readonly<Record<'hap' | 'social_bias' | 'pii', string | undefined>>;
  /** Directory of `agent-chat.js`, `chunks/` and `demo/`; absent: next to the built service. */
  readonly assetsDir: string | undefined;
  /** Whether to serve the playground: its page, token endpoint and agents. */
  readonly playground: boolean;
}

/** Invalid settings, one line per error. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

/** One environment variable, for `--help` and the operations page. */
export interface SettingRow {
  readonly variable: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** All environment variables. A test checks that the table is complete. */
export const settingRows: readonly SettingRow[] = [
  {
    variable: 'HOST',
    fallback: '0.0.0.0',
    meaning: 'address to listen on (playground: localhost)',
  },
  { variable: 'PORT', fallback: '8787', meaning: 'port to listen on; 0 takes a free one' },
  {
    variable: 'PUBLIC_URL',
    fallback: '–',
    meaning:
      'public URL of the service, used in the script tag and in callback URLs; without it, the script tag uses the host of the request, and callbacks use the address the service listens on',
  },
  {
    variable: 'DATA_DIR',
    fallback: './data',
    meaning: 'directory of the embedded database and of earlier releases of the script',
  },
  {
    variable: 'DATABASE_URL',
    fallback: '–',
    meaning: 'PostgreSQL URL, instead of the embedded database; several instances can share it',
  },
  {
    variable: 'AGENTS_FILE',
    fallback: '–',
    meaning: 'JSON file with the agents; without it, the agents are "demo" and "echo"',
  },
  { variable: 'JWT_SECRET', fallback: '–', meaning: 'secret for HS256 tokens, at least 32 characters' },
  { variable: 'JWKS_URL', fallback: '–', meaning: 'URL of the key set for RS256 and EdDSA tokens' },
  { variable: 'JWT_AUDIENCE', fallback: '–', meaning: 'required audience of tokens' },
  { variable: 'JWT_ISSUER', fallback: '–', meaning: 'required issuer of tokens' },
  { variable: 'API_KEYS_FILE', fallback: '–', meaning: 'JSON file with the hashed API keys of servers' },
  {
    variable: 'RUN_GRACE',
    fallback: '900',
    meaning: 'seconds a run continues without a reader; 0: it ends when its last reader leaves',
  },
  {
    variable: 'RUN_EVENTS_TTL',
    fallback: '86400',
    meaning: 'seconds for which the events of a finished run can be replayed',
  },
  { variable: 'BODY_LIMIT', fallback: '1048576', meaning: 'largest request body, in bytes' },
  {
    variable: 'MESSAGE_LIMIT',
    fallback: '100000',
    meaning: 'longest text of one message, in characters (code points)',
  },
  { variable: 'EVENT_LIMIT', fallback: '4194304', meaning: 'largest event, in bytes' },
  {
    variable: 'RATE_LIMIT',
    fallback: '120',
    meaning: 'requests per minute of one subject, on each instance; 0: no limit',
  },
  {
    variable: 'RUN_LIMIT',
    fallback: '32',
    meaning:
      'concurrent runs, and followed threads, of one subject of a tenant, on each instance; 0: no limit',
  },
  {
    variable: 'THREAD_TTL',
    fallback: '0',
    meaning: 'days a thread is kept after its last message; 0: forever',
  },
  {
    variable: 'RUN_LEASE',
    fallback: '15',
    meaning: 'seconds after which the runs of a dead instance expire (PostgreSQL)',
  },
  {
    variable: 'DRAIN_TIMEOUT',
    fallback: '30',
    meaning: 'seconds that a stop waits for runs to finish (playground: 0)',
  },
  {
    variable: 'TRUST_PROXY',
    fallback: 'false',
    meaning: 'which X-Forwarded-* headers to trust: true, a number of hops, or addresses',
  },
  { variable: 'LOG_LEVEL', fallback: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent' },
  { variable: 'PRODUCT_PATH', fallback: 'hub', meaning: 'path segment of the deployment' },
  {
    variable: 'IDENTIFIER_PREFIX',
    fallback: 'svc_',
    meaning: 'prefix that replaces svc_ in svc_message and svc_connection_status',
  },
  {
    variable: 'HAP_DETECTOR_URL',
    fallback: 'built in',
    meaning: 'URL of a detector of hate, abuse and profanity',
  },
  {
    variable: 'SOCIAL_BIAS_DETECTOR_URL',
    fallback: '–',
    meaning: 'URL of a detector of social bias; without it, a run that enables this guardrail fails',
  },
  { variable: 'PII_DETECTOR_URL', fallback: 'built in', meaning: 'URL of a detector of personal data' },
  {
    variable: 'ASSETS_DIR',
    fallback: 'beside the service',
    meaning: 'directory of the built script and its chunks',
  },
];

/** Reads a JSON settings file, with or without a byte order mark. @throws SettingsError */
export function readJsonFile(variable: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')) as unknown;
  } catch (cause) {
    // The parser's message quotes the file with its line breaks; an error must be one line.
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ');
    throw new SettingsError([`${variable} ${file} cannot be read: ${reason}`]);
  }
}

/** Returns a trimmed variable, or `undefined` if it is empty. */
export function readText(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** Validates the secret for HS256. */
export function secretErrors(secret: string | undefined): readonly string[] {
  return secret !== undefined && secret.length < 32 ? ['JWT_SECRET must have at least 32 characters'] : [];
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads the settings from an environment. @throws SettingsError with all errors */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  given: { playground?: boolean } = {},
): ServiceSettings {
  const errors: string[] = [];
  const playground = given.playground ?? false;
  const text = (name: string): string | undefined => readText(environment, name);
  const integer = (name: string, fallback: number, range: { least: number; most?: number }): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const most = range.most ?? Number.MAX_SAFE_INTEGER;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= range.least && number <= most) return number;
    const upper = range.most === undefined ? '' : ` to ${most}`;
    errors.push(`${name} must be a whole number from ${range.least}${upper}, not "${value}"`);
    return fallback;
  };
  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) {
      const { username, password } = new URL(value);
      if (!protocols.includes('http:') || username + password === '') return value;
      errors.push(`${name} must not contain a user or password: requests to such a URL are impossible`);
      return undefined;
    }
    errors.push(
      `${name} must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return undefined;
  };
  const pattern = (name: string, fallback: string, allowed: RegExp, words: string): string => {
    const value = text(name) ?? fallback;
    if (!allowed.test(value)) errors.push(`${name} must be ${words}, not "${value}"`);
    return value;
  };

  const web = ['http:', 'https:'];
  const publicUrl = url('PUBLIC_URL', web);
  if (publicUrl !== undefined && /[?#]/.test(publicUrl))
    errors.push('PUBLIC_URL must not contain "?" or "#": paths are appended to it');
  const jwtSecret = text('JWT_SECRET');
  const jwksUrl = url('JWKS_URL', web);
  errors.push(...secretErrors(jwtSecret));
  if (!playground && jwtSecret === undefined && text('JWKS_URL') === undefined) {
    errors.push('JWT_SECRET or JWKS_URL must be set: the service needs one to verify tokens');
  }
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(logLevel))
    errors.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${logLevel}"`);

  if (/^~(\/|$)/.test(text('DATA_DIR') ?? ''))
    errors.push('DATA_DIR must not start with "~", which only a shell expands; use the full path');

  const trustProxy = readTrustProxy(text('TRUST_PROXY'));
  if (trustProxy === undefined) {
    errors.push(
      `TRUST_PROXY must be true, false, a number of proxies, or their addresses (10.0.0.0/8, 192.0.2.7), not "${text('TRUST_PROXY') ?? ''}"`,
    );
  }

  const settings: ServiceSettings = {
    host: text('HOST') ?? (playground ? 'localhost' : '0.0.0.0'),
    port: integer('PORT', 8787, { least: 0, most: 65_535 }),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    dataDir: text('DATA_DIR') ?? './data',
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    agentsFile: text('AGENTS_FILE'),
    jwtSecret,
    jwksUrl,
    jwtAudience: text('JWT_AUDIENCE'),
    jwtIssuer: text('JWT_ISSUER'),
    apiKeysFile: text('API_KEYS_FILE'),
    runGrace: integer('RUN_GRACE', 900, { least: 0 }),
    runEventsTtl: integer('RUN_EVENTS_TTL', 86_400, { least: 1 }),
    bodyLimit: integer('BODY_LIMIT', 1_048_576, { least: 1024 }),
    messageLimit: integer('MESSAGE_LIMIT', 100_000, { least: 1 }),
    eventLimit: integer('EVENT_LIMIT', 4_194_304, { least: 1024 }),
    rateLimit: integer('RATE_LIMIT', 120, { least: 0 }),
    runLimit: integer('RUN_LIMIT', 32, { least: 0 }),
    threadTtl: integer('THREAD_TTL', 0, { least: 0 }),
    runLease: integer('RUN_LEASE', 15, { least: 1, most: 3600 }),
    drainTimeout: integer('DRAIN_TIMEOUT', playground ? 0 : 30, { least: 0, most: 3600 }),
    trustProxy: trustProxy ?? false,
    logLevel,
    productPath: pattern('PRODUCT_PATH', 'hub', /^(?!\.{1,2}$)[\w.~-]+$/, 'one path segment'),
    identifierPrefix: pattern('IDENTIFIER_PREFIX', 'svc_', /^\w+$/, 'letters, digits and underscores'),
    detectorUrls: {
      hap: url('HAP_DETECTOR_URL', web),
      social_bias: url('SOCIAL_BIAS_DETECTOR_URL', web),
      pii: url('PII_DETECTOR_URL', web),
    },
    assetsDir: text('ASSETS_DIR'),
    playground,
  };
  if (errors.length > 0) throw new SettingsError(errors);
  return settings;
}

/** Returns `undefined` for an invalid value. */
function readTrustProxy(value: string | undefined): boolean | number | string | undefined {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  if (/^\d+$/.test(value)) return Number(value);
  return value.split(',').every((one) => isNetwork(one.trim())) ? value : undefined;
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
