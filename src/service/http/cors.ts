import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteFacts } from './request-log.ts';

/**
 * Allows cross-origin requests from known origins and sets the headers of every response. The routes check
 * which agent an origin may use, because a preflight does not name one.
 */
export function registerCors(app: FastifyInstance, knowsOrigin: (origin: string) => boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-site',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-request-id': request.id,
    });
    if (!isApi(request.url)) return;
    void reply.header('vary', 'Origin');
    const origin = originOf(request);
    if (origin === undefined || !knowsOrigin(origin)) return;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Date, Retry-After, X-Request-ID, X-Run-ID, X-Thread-Id',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  app.options('/*', async (request, reply) => {
    const origin = originOf(request);
    if (reply.hasHeader('access-control-allow-origin')) sendPreflightHeaders(reply);
    else if (origin !== undefined && isApi(request.url)) {
      noteFacts(request, { reason: `"origins" of no agent has ${origin.slice(0, 200)}` });
    }
    return reply.code(204).send();
  });
}

/** The origin of the requesting page; `undefined` for servers and same-origin reads. */
export function originOf(request: FastifyRequest): string | undefined {
  return request.headers.origin;
}

function sendPreflightHeaders(reply: FastifyReply): void {
  void reply.headers({
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'Authorization, Content-Type, Accept, Last-Event-ID',
    'access-control-max-age': '7200',
  });
}

function isApi(url: string): boolean {
  return url.startsWith('/api/') || url.startsWith('/v1/') || url.startsWith('/openapi.json');
}
