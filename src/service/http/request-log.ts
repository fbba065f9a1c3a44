import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a request is about. Holds ids, no names of visitors. */
export interface RequestFacts {
  readonly tenant_id?: string;
  readonly agent_id?: string;
  readonly thread_id?: string;
  readonly run_id?: string;
  /** Why the request was refused. */
  readonly reason?: string;
}

const known = new WeakMap<FastifyRequest, RequestFacts>();
/** Requests of supervisors, which would fill the log. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Adds to what the log line of a request says. */
export function noteFacts(request: FastifyRequest, facts: RequestFacts): void {
  known.set(request, { ...factsOf(request), ...facts });
}

/** What is known of a request so far. */
export function factsOf(request: FastifyRequest): RequestFacts {
  return known.get(request) ?? {};
}

/** Whether a request comes from a supervisor. */
export function isProbe(request: FastifyRequest): boolean {
  return probes.has(request.routeOptions.url ?? '');
}

/** Calls `listener` for each answered request, and for those whose caller left, which `onResponse` does not report. */
export function onRequestEnd(
  app: FastifyInstance,
  listener: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    listener(request, reply);
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => {
      if (raw.writableFinished || raw.errored) return; // `onResponse` was called
      if (!raw.writableEnded) noteFacts(request, { reason: 'the connection was closed before the end' });
      listener(request, reply);
    });
    done();
  });
}

/**
 * Logs a request that was answered, or whose caller is gone: one line each, of probes at the level `debug`.
 * @param traceId of the request's span
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply, traceId: string | undefined): void {
  const route = request.routeOptions.url ?? 'unknown';
  const fields = {
    method: request.method,
    route,
    ...factsOf(request),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
  };
  if (isProbe(request)) request.log.debug(fields, 'request');
  else request.log.info(fields, 'request');
}

/** Returns the id of a request: the caller's `X-Request-ID` if it is an ordinary one, or a new one. */
export function requestId(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:+/=-]{1,128}$/.test(id) ? id : crypto.randomUUID();
}
