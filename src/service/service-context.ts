import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { AgentRegistry } from './agents/agent-registry.ts';
import type { Caller, Scope } from './auth/caller.ts';
import type { RateLimit } from './auth/rate-limit.ts';
import type { Metrics } from './metrics.ts';
import type { ListLimiter } from './http/list-limiter.ts';
import type { RunEngine } from './runs/run-engine.ts';
import type { ServiceSettings } from './settings.ts';
import type { Store } from './storage/store.ts';
import type { StreamResponses } from './http/stream-response.ts';

/** What every route works with. */
export interface ServiceContext {
  readonly settings: ServiceSettings;
  readonly store: Store;
  readonly engine: RunEngine;
  readonly agents: AgentRegistry;
  readonly streams: StreamResponses;
  readonly rate: RateLimit;
  readonly listLimiter: ListLimiter;
  readonly metrics: Metrics;
  readonly log: FastifyBaseLogger;
  /**
   * Finds out who asks and whether they may; one of the scopes is enough. Counts the request.
   * @throws Problem 401, 403 or 429
   */
  readonly authenticate: (request: FastifyRequest, ...oneOf: readonly Scope[]) => Promise<Caller>;
  /**
   * Address at which agents' backends reach the service, without a trailing slash: `PUBLIC_URL`, else what it listens on.
   * Never what a request says: a visitor must not choose where a backend posts.
   */
  readonly callbackBaseUrl: () => string;
  /** Address at which the asking browser reaches the service, without a trailing slash; for answers to it only. */
  readonly baseUrlFor: (request: FastifyRequest) => string;
}

/** The page a request comes from; `undefined` for servers and same-origin reads. */
export function originOf(request: FastifyRequest): string | undefined {
  return request.headers.origin;
}
