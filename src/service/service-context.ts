import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { AgentRegistry } from './agents/agent-registry.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Caller, Scope } from './auth/caller.ts';
import type { RateLimit } from './auth/rate-limit.ts';
import type { AuditCall } from './decisions/call-audit.ts';
import type { Metrics } from './metrics.ts';
import type { ListLimiter } from './http/list-limiter.ts';
import type { RunEngine } from './runs/run-engine.ts';
import type { ServiceSettings } from './settings.ts';
import type { Store } from './storage/store.ts';
import type { UsageLedger } from './usage/usage-ledger.ts';
import type { StreamResponses } from './http/stream-response.ts';

/** The services that all routes use. */
export interface ServiceContext {
  readonly settings: ServiceSettings;
  readonly store: Store;
  readonly engine: RunEngine;
  readonly agents: AgentRegistry;
  readonly streams: StreamResponses;
  readonly rate: RateLimit;
  readonly listLimiter: ListLimiter;
  readonly metrics: Metrics;
  /** Records administrative acts, deletions and changes of the configuration. */
  readonly audit: AuditLog;
  /** Records decisions on tool calls and what became of them. */
  readonly auditCall: AuditCall;
  /** Counts runs and tokens, and limits them. */
  readonly usage: UsageLedger;
  /** Replaces `svc_` in JSON by the prefix of the deployment. */
  readonly rename: (json: string) => string;
  readonly log: FastifyBaseLogger;
  /**
   * Authenticates a request and checks that the caller has one of the scopes. Counts it for the rate limit.
   * @throws Problem 401, 403 or 429
   */
  readonly authenticate: (request: FastifyRequest, ...oneOf: readonly Scope[]) => Promise<Caller>;
  /**
   * URL where agents' backends reach the service, without a trailing slash: `PUBLIC_URL`, or the address it
   * listens on. Never taken from a request, so a visitor cannot choose where a backend posts.
   */
  readonly callbackBaseUrl: () => string;
  /**
   * URL where the requesting browser reaches the service, without a trailing slash. Only for responses to
   * that browser.
   */
  readonly baseUrlFor: (request: FastifyRequest) => string;
}
