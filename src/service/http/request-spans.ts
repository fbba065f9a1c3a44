import type { FastifyInstance, FastifyRequest } from 'fastify';
import { noSpan, type Span } from '../telemetry/span.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { factsOf, isProbe, onRequestEnd } from './request-log.ts';

const spans = new WeakMap<FastifyRequest, Span>();

/**
 * Adds a span to each request but those of supervisors. It holds no path, which may name a visitor, and no address.
 * @source OpenTelemetry semantic conventions, "HTTP server span"
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request)) return done();
    const span = tracing.startRequest(request.headers);
    spans.set(request, span);
    const route = request.routeOptions.url;
    span.rename(route === undefined ? request.method : `${request.method} ${route}`);
    span.set({
      'http.request.method': request.method,
      'http.route': route,
      'url.scheme': request.protocol,
      'network.protocol.version': request.raw.httpVersion,
    });
    span.within(done);
  });
  onRequestEnd(app, (request, reply) => {
    const { agent_id, thread_id, run_id, tenant_id } = factsOf(request);
    const span = spanOf(request);
    span.set({
      'http.response.status_code': reply.statusCode,
      'gen_ai.agent.id': agent_id,
      'gen_ai.conversation.id': thread_id,
      'agent_chat.run.id': run_id,
      'agent_chat.tenant.id': tenant_id,
    });
    span.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
  });
}

/** The span of a request. */
export function spanOf(request: FastifyRequest): Span {
  return spans.get(request) ?? noSpan;
}
