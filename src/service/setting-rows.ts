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
    variable: 'DATABASE_URL_FILE',
    fallback: '–',
    meaning: 'file that contains DATABASE_URL, such as a mounted secret',
  },
  {
    variable: 'DATABASE_WAIT',
    fallback: '60',
    meaning: 'seconds to wait for PostgreSQL at startup; 0: not at all',
  },
  {
    variable: 'EVENTS_URL',
    fallback: '–',
    meaning: 'Redis URL for the events of runs, when PostgreSQL cannot keep up with them',
  },
  { variable: 'EVENTS_URL_FILE', fallback: '–', meaning: 'file that contains EVENTS_URL' },
  {
    variable: 'AGENTS_FILE',
    fallback: '–',
    meaning: 'JSON file with the agents; without it, the agents are "demo" and "echo"',
  },
  { variable: 'JWT_SECRET', fallback: '–', meaning: 'secret for HS256 tokens, at least 32 characters' },
  { variable: 'JWT_SECRET_FILE', fallback: '–', meaning: 'file that contains JWT_SECRET' },
  {
    variable: 'JWT_SECRET_PREVIOUS',
    fallback: '–',
    meaning: 'secret whose tokens also stay valid, while JWT_SECRET is replaced',
  },
  { variable: 'JWT_SECRET_PREVIOUS_FILE', fallback: '–', meaning: 'file that contains JWT_SECRET_PREVIOUS' },
  { variable: 'JWKS_URL', fallback: '–', meaning: 'URL of the key set for RS256, ES256 and EdDSA tokens' },
  { variable: 'JWT_AUDIENCE', fallback: '–', meaning: 'required audience of tokens' },
  { variable: 'JWT_ISSUER', fallback: '–', meaning: 'required issuer of tokens' },
  {
    variable: 'JWT_SUBJECT_CLAIM',
    fallback: 'sub',
    meaning: 'claim of a token that names the visitor',
  },
  {
    variable: 'JWT_TENANT_CLAIM',
    fallback: 'tenant_id',
    meaning: 'claim of a token that names the tenant',
  },
  {
    variable: 'JWT_SCOPE_CLAIM',
    fallback: 'scope or scp',
    meaning: 'claim of a token with its scopes: a list, or a string separated by spaces',
  },
  {
    variable: 'JWT_MAX_AGE',
    fallback: '0',
    meaning: 'seconds after its issue (claim iat) at which a token ends, whatever its exp; 0: no limit',
  },
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
    variable: 'TOKEN_LIMIT',
    fallback: '0',
    meaning: 'tokens of the models that one subject of a tenant may use a day (UTC); 0: no limit',
  },
  {
    variable: 'TENANT_RATE_LIMIT',
    fallback: '0',
    meaning: 'requests per minute of one tenant, on each instance; 0: no limit',
  },
  {
    variable: 'TENANT_RUN_LIMIT',
    fallback: '0',
    meaning: 'concurrent runs of one tenant, on each instance; 0: no limit',
  },
  {
    variable: 'TENANT_TOKEN_LIMIT',
    fallback: '0',
    meaning: 'tokens of the models that one tenant may use a day (UTC); 0: no limit',
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
    meaning: 'seconds to wait for active runs at shutdown (playground: 0)',
  },
  {
    variable: 'TRUST_PROXY',
    fallback: 'false',
    meaning: 'which X-Forwarded-* headers to trust: true, a number of hops, or addresses',
  },
  {
    variable: 'AUDIT_FILE',
    fallback: '–',
    meaning: 'file to which audit lines are appended, besides the log; opened again on SIGHUP',
  },
  {
    variable: 'LOG_LEVEL',
    fallback: 'info',
    meaning:
      'fatal, error, warn, info, debug, trace or silent; debug and trace also log the messages of errors of agent modules, which may quote visitors',
  },
  {
    variable: 'TRACE_CONTENT',
    fallback: 'false',
    meaning: 'true: spans in OpenTelemetry also hold texts of visitors, agents and tools',
  },
  { variable: 'PRODUCT_PATH', fallback: 'hub', meaning: 'path segment of the deployment' },
  {
    variable: 'FACADES',
    fallback: '–',
    meaning: 'further protocols in which agents are served: agui (AG-UI, at /api/v1/agui/{agent_id})',
  },
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
