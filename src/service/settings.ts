import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { SettingReader } from './setting-reader.ts';

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
  /** Seconds to wait for PostgreSQL at startup; 0: not at all. */
  readonly databaseWait: number;
  /** Redis URL for the events of runs; absent: they are stored in the database. */
  readonly eventsUrl: string | undefined;
  readonly agentsFile: string | undefined;
  readonly jwtSecret: string | undefined;
  readonly jwtSecretPrevious?: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly jwtAudience: string | undefined;
  readonly jwtIssuer: string | undefined;
  /** Names of the claims with the visitor, the tenant and the scopes (`undefined`: `scope` or `scp`). */
  readonly jwtSubjectClaim: string;
  readonly jwtTenantClaim: string;
  readonly jwtScopeClaim: string | undefined;
  /** Seconds after its issue at which a token ends; 0: no limit. */
  readonly jwtMaxAge: number;
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
  /** Tokens of the models that one subject of a tenant may use a day; 0: no limit. */
  readonly tokenLimit: number;
  /** Requests a minute, concurrent runs on each instance, and tokens a day of one tenant; 0: no limit. */
  readonly tenantRateLimit: number;
  readonly tenantRunLimit: number;
  readonly tenantTokenLimit: number;
  /** Days a thread is kept after its last message; 0: forever. */
  readonly threadTtl: number;
  /** Seconds to wait for active runs at shutdown; 0: they end at once. */
  readonly drainTimeout: number;
  /** Seconds of a run's lease on a shared database. */
  readonly runLease: number;
  /** Whether to trust `X-Forwarded-*`: `true`, a number of hops, or addresses. */
  readonly trustProxy: boolean | number | string;
  /** File for audit lines, besides the log. */
  readonly auditFile: string | undefined;
  readonly logLevel: string;
  /** Whether spans in OpenTelemetry hold texts of visitors, models and tools. */
  readonly traceContent: boolean;
  /** Further wires in which runs are served: `agui`. */
  readonly facades: readonly string[];
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

  constructor(errors: readonly string[], options?: ErrorOptions) {
    super(errors.join('\n'), options);
    this.errors = errors;
  }
}

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

/** Validates the secret for HS256. */
function secretErrors(name: string, secret: string | undefined): readonly string[] {
  return secret !== undefined && secret.length < 32 ? [`${name} must have at least 32 characters`] : [];
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads the settings from an environment. @throws SettingsError with all errors */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  options: { playground?: boolean } = {},
): ServiceSettings {
  const reader = new SettingReader(environment);
  const { errors } = reader;
  const playground = options.playground ?? false;
  const text = (name: string): string | undefined => reader.text(name);
  const integer = (name: string, fallback: number, range: { least: number; most?: number }): number =>
    reader.integer(name, fallback, range);
  const url = (name: string, protocols: readonly string[]): string | undefined => reader.url(name, protocols);

  const web = ['http:', 'https:'];
  const publicUrl = url('PUBLIC_URL', web);
  if (publicUrl !== undefined && /[?#]/.test(publicUrl))
    errors.push('PUBLIC_URL must not contain "?" or "#": paths are appended to it');
  const jwtSecret = reader.secret('JWT_SECRET');
  const jwksUrl = url('JWKS_URL', web);
  const jwtSecretPrevious = reader.secret('JWT_SECRET_PREVIOUS');
  errors.push(
    ...secretErrors('JWT_SECRET', jwtSecret),
    ...secretErrors('JWT_SECRET_PREVIOUS', jwtSecretPrevious),
  );
  const isUnverifiable = [text('JWT_SECRET'), text('JWT_SECRET_FILE'), text('JWKS_URL')].every(
    (one) => one === undefined,
  );
  if (!playground && isUnverifiable) {
    errors.push('JWT_SECRET or JWKS_URL must be set: the service needs one to verify tokens');
  }
  const hasUrl = (name: string): boolean => text(name) !== undefined || text(`${name}_FILE`) !== undefined;
  if (hasUrl('EVENTS_URL') && !hasUrl('DATABASE_URL'))
    errors.push('EVENTS_URL needs DATABASE_URL: messages are stored in PostgreSQL, only events in Redis');
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(logLevel))
    errors.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${logLevel}"`);

  const traceContent = text('TRACE_CONTENT') ?? 'false';
  if (!['true', 'false'].includes(traceContent))
    errors.push(`TRACE_CONTENT must be true or false, not "${traceContent}"`);

  if (/^~(\/|$)/.test(text('DATA_DIR') ?? ''))
    errors.push('DATA_DIR must not start with "~", which only a shell expands; use the full path');

  const facades = (text('FACADES') ?? '').split(',').flatMap((name) => name.trim() || []);
  if (facades.some((name) => name !== 'agui'))
    errors.push(`FACADES must be agui, not "${text('FACADES') ?? ''}"`);

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
    databaseUrl: reader.url('DATABASE_URL', ['postgres:', 'postgresql:'], reader.secret('DATABASE_URL')),
    databaseWait: integer('DATABASE_WAIT', 60, { least: 0, most: 3600 }),
    eventsUrl: reader.url('EVENTS_URL', ['redis:', 'rediss:'], reader.secret('EVENTS_URL')),
    agentsFile: text('AGENTS_FILE'),
    jwtSecret,
    jwtSecretPrevious,
    jwksUrl,
    jwtAudience: text('JWT_AUDIENCE'),
    jwtIssuer: text('JWT_ISSUER'),
    jwtSubjectClaim: text('JWT_SUBJECT_CLAIM') ?? 'sub',
    jwtTenantClaim: text('JWT_TENANT_CLAIM') ?? 'tenant_id',
    jwtScopeClaim: text('JWT_SCOPE_CLAIM'),
    jwtMaxAge: integer('JWT_MAX_AGE', 0, { least: 0 }),
    apiKeysFile: text('API_KEYS_FILE'),
    runGrace: integer('RUN_GRACE', 900, { least: 0 }),
    runEventsTtl: integer('RUN_EVENTS_TTL', 86_400, { least: 1 }),
    bodyLimit: integer('BODY_LIMIT', 1_048_576, { least: 1024 }),
    messageLimit: integer('MESSAGE_LIMIT', 100_000, { least: 1 }),
    eventLimit: integer('EVENT_LIMIT', 4_194_304, { least: 1024 }),
    rateLimit: integer('RATE_LIMIT', 120, { least: 0 }),
    runLimit: integer('RUN_LIMIT', 32, { least: 0 }),
    tokenLimit: integer('TOKEN_LIMIT', 0, { least: 0 }),
    tenantRateLimit: integer('TENANT_RATE_LIMIT', 0, { least: 0 }),
    tenantRunLimit: integer('TENANT_RUN_LIMIT', 0, { least: 0 }),
    tenantTokenLimit: integer('TENANT_TOKEN_LIMIT', 0, { least: 0 }),
    threadTtl: integer('THREAD_TTL', 0, { least: 0 }),
    runLease: integer('RUN_LEASE', 15, { least: 1, most: 3600 }),
    drainTimeout: integer('DRAIN_TIMEOUT', playground ? 0 : 30, { least: 0, most: 3600 }),
    trustProxy: trustProxy ?? false,
    auditFile: text('AUDIT_FILE'),
    logLevel,
    traceContent: traceContent === 'true',
    facades,
    productPath: reader.pattern('PRODUCT_PATH', 'hub', /^(?!\.{1,2}$)[\w.~-]+$/, 'one path segment'),
    identifierPrefix: reader.pattern('IDENTIFIER_PREFIX', 'svc_', /^\w+$/, 'letters, digits and underscores'),
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
