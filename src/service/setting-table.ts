import {
  databaseAddress,
  integer,
  matching,
  optional,
  proxies,
  secret,
  setting,
  text,
  webUrl,
  type SettingRow,
} from './setting-kinds.ts';

/** All settings, in the order of `--help`: variable, default, meaning, and what is allowed. */
export const settingTable = {
  host: text('HOST', '0.0.0.0', 'address to listen on (playground: localhost)'),
  port: integer('PORT', 8787, 'port to listen on; 0 takes a free one', { most: 65_535 }),
  publicUrl: optional(
    'PUBLIC_URL',
    'public URL of the service, used in the script tag and in callback URLs; without it, the script tag uses the host of the request, and callbacks use the address the service listens on',
    { parse: baseUrl },
  ),
  dataDir: setting('DATA_DIR', './data', 'directory of the embedded database', directory),
  databaseUrl: secret(
    'DATABASE_URL',
    'PostgreSQL URL, instead of the embedded database; several instances can share it',
    databaseAddress('postgres:', 'postgresql:'),
    'file that contains DATABASE_URL, such as a mounted secret',
  ),
  databaseWait: integer('DATABASE_WAIT', 60, 'seconds to wait for PostgreSQL at startup; 0: not at all', {
    most: 3600,
  }),
  eventsUrl: secret(
    'EVENTS_URL',
    'Redis URL for the events of runs, when PostgreSQL cannot keep up with them',
    databaseAddress('redis:', 'rediss:'),
  ),
  agentsFile: optional(
    'AGENTS_FILE',
    'JSON file with the agents; without it, the agents are "demo" and "echo"',
  ),
  jwtSecret: secret('JWT_SECRET', 'secret for HS256 tokens, at least 32 characters', secretForHs256),
  jwtSecretPrevious: secret(
    'JWT_SECRET_PREVIOUS',
    'secret whose tokens also stay valid, while JWT_SECRET is replaced',
    secretForHs256,
  ),
  jwksUrl: optional('JWKS_URL', 'URL of the key set for RS256, ES256 and EdDSA tokens', { parse: webUrl }),
  jwtAudience: optional('JWT_AUDIENCE', 'required audience of tokens'),
  jwtIssuer: optional('JWT_ISSUER', 'required issuer of tokens'),
  jwtSubjectClaim: text('JWT_SUBJECT_CLAIM', 'sub', 'claim of a token that names the visitor'),
  jwtTenantClaim: text('JWT_TENANT_CLAIM', 'tenant_id', 'claim of a token that names the tenant'),
  jwtScopeClaim: optional(
    'JWT_SCOPE_CLAIM',
    'claim of a token with its scopes: a list, or a string separated by spaces',
    { shown: 'scope or scp' },
  ),
  jwtMaxAge: integer(
    'JWT_MAX_AGE',
    0,
    'seconds after its issue (claim iat) at which a token ends, whatever its exp; 0: no limit',
  ),
  apiKeysFile: optional('API_KEYS_FILE', 'JSON file with the hashed API keys of servers'),
  runGrace: integer(
    'RUN_GRACE',
    900,
    'seconds a run continues without a reader; 0: it ends when its last reader leaves',
  ),
  runEventsTtl: integer(
    'RUN_EVENTS_TTL',
    86_400,
    'seconds for which the events of a finished run can be replayed',
    { least: 1 },
  ),
  bodyLimit: integer('BODY_LIMIT', 1_048_576, 'largest request body, in bytes', { least: 1024 }),
  messageLimit: integer(
    'MESSAGE_LIMIT',
    100_000,
    'longest text of one message, in characters (code points)',
    { least: 1 },
  ),
  eventLimit: integer('EVENT_LIMIT', 4_194_304, 'largest event, and largest message of an agent, in bytes', {
    least: 1024,
  }),
  rateLimit: integer('RATE_LIMIT', 120, 'requests per minute of one subject, on each instance; 0: no limit'),
  runLimit: integer(
    'RUN_LIMIT',
    32,
    'concurrent runs, and followed threads, of one subject of a tenant, on each instance; 0: no limit',
  ),
  tokenLimit: integer(
    'TOKEN_LIMIT',
    0,
    'tokens of the models that one subject of a tenant may use a day (UTC); 0: no limit',
  ),
  tenantRateLimit: integer(
    'TENANT_RATE_LIMIT',
    0,
    'requests per minute of one tenant, on each instance; 0: no limit',
  ),
  tenantRunLimit: integer(
    'TENANT_RUN_LIMIT',
    0,
    'concurrent runs of one tenant, on each instance; 0: no limit',
  ),
  tenantTokenLimit: integer(
    'TENANT_TOKEN_LIMIT',
    0,
    'tokens of the models that one tenant may use a day (UTC); 0: no limit',
  ),
  threadTtl: integer('THREAD_TTL', 0, 'days a thread is kept after its last message; 0: forever'),
  runLease: integer('RUN_LEASE', 15, 'seconds after which the runs of a dead instance expire (PostgreSQL)', {
    least: 1,
    most: 3600,
  }),
  drainTimeout: integer('DRAIN_TIMEOUT', 30, 'seconds to wait for active runs at shutdown (playground: 0)', {
    most: 3600,
  }),
  trustProxy: setting(
    'TRUST_PROXY',
    'false',
    'which X-Forwarded-* headers to trust: true, a number of hops, or addresses',
    proxies,
  ),
  auditFile: optional(
    'AUDIT_FILE',
    'file to which audit lines are appended, besides the log; opened again on SIGHUP',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug, trace or silent; debug and trace also log the messages of errors of agent modules, which may quote visitors',
    logLevel,
  ),
  traceContent: setting(
    'TRACE_CONTENT',
    'false',
    'true: spans in OpenTelemetry also hold texts of visitors, agents and tools',
    flag,
  ),
  productPath: setting(
    'PRODUCT_PATH',
    'hub',
    'path segment of the deployment',
    matching(/^(?!\.{1,2}$)[\w.~-]+$/, 'one path segment'),
  ),
  facades: setting(
    'FACADES',
    '',
    'further protocols in which agents are served: agui (AG-UI, at /api/v1/agui/{agent_id})',
    facadeNames,
  ),
  identifierPrefix: setting(
    'IDENTIFIER_PREFIX',
    'svc_',
    'prefix that replaces svc_ in svc_message and svc_connection_status',
    matching(/^\w+$/, 'letters, digits and underscores'),
  ),
  hapDetectorUrl: optional('HAP_DETECTOR_URL', 'URL of a detector of hate, abuse and profanity', {
    parse: webUrl,
    shown: 'built in',
  }),
  socialBiasDetectorUrl: optional(
    'SOCIAL_BIAS_DETECTOR_URL',
    'URL of a detector of social bias; without it, a run that enables this guardrail fails',
    { parse: webUrl },
  ),
  piiDetectorUrl: optional('PII_DETECTOR_URL', 'URL of a detector of personal data', {
    parse: webUrl,
    shown: 'built in',
  }),
  assetsDir: optional('ASSETS_DIR', 'directory of the built script and its chunks', {
    shown: 'beside the service',
  }),
} as const;

/** All environment variables, for `--help` and the operations page. */
export const settingRows: readonly SettingRow[] = Object.values(settingTable).flatMap(({ rows }) => rows);

function baseUrl(url: string): string {
  if (/[?#]/.test(webUrl(url))) throw new Error('must not contain "?" or "#": paths are appended to it');
  return url.replace(/\/+$/, '');
}

function directory(path: string): string {
  if (/^~(\/|$)/.test(path))
    throw new Error('must not start with "~", which only a shell expands; use the full path');
  return path;
}

function secretForHs256(value: string): string {
  if (value.length < 32) throw new Error('must have at least 32 characters');
  return value;
}

function logLevel(level: string): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
  if (!levels.includes(level)) throw new Error(`must be one of ${levels.join(', ')}, not "${level}"`);
  return level;
}

function flag(value: string): boolean {
  return matching(/^(true|false)$/, 'true or false')(value) === 'true';
}

function facadeNames(list: string): readonly string[] {
  const names = list.split(',').flatMap((name) => name.trim() || []);
  if (names.some((name) => name !== 'agui')) throw new Error(`must be agui, not "${list}"`);
  return names;
}
