import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi/document.ts';
import { unavailable } from '../errors/problem.ts';
import { inTime } from '../in-time.ts';
import type { ServiceContext } from '../service-context.ts';
import { isReadOnly } from '../storage/database-error.ts';
import { DatabaseCorruptError, DiskError, RedisAwayError } from '../storage/store.ts';

/** How long the database may take to respond. */
const pingTimeoutMs = 2_000;

/** Health, readiness, metrics, and the OpenAPI document. */
export function operationRoutes(app: FastifyInstance, context: ServiceContext): void {
  let document: Record<string, unknown> | undefined;
  app.get('/openapi.json', (request) => {
    document ??= openApiDocument(context.settings);
    return { ...document, servers: [{ url: context.baseUrlFor(request) }] };
  });

  app.get('/healthz', () => ({ status: 'ok' }));

  /** The first of the failed checks in a row. */
  let failed: { readonly at: number; readonly reason: string } | undefined;
  app.get('/readyz', async (request) => {
    if (context.engine.stopping) throw unavailable('the service is stopping');
    try {
      await inTime(context.store.ping(), pingTimeoutMs, () => {
        throw new Error(`no answer within ${pingTimeoutMs} ms`);
      });
    } catch (error) {
      const reason = wordsOf(error);
      if (!failed) request.log.error({ err: error }, reason);
      failed ??= { at: performance.now(), reason };
      throw unavailable(reason);
    }
    if (failed) {
      const duration_ms = Math.round(performance.now() - failed.at);
      request.log.warn({ reason: failed.reason, duration_ms }, 'the service is ready again');
      failed = undefined;
    }
    return { status: 'ready' };
  });

  app.get('/metrics', async (_request, reply) => {
    return reply.type(context.metrics.registry.contentType).send(await context.metrics.registry.metrics());
  });
}

function wordsOf(error: unknown): string {
  if (error instanceof DiskError) return error.message;
  if (isReadOnly(error)) return 'the database is read-only';
  if (error instanceof RedisAwayError) return 'Redis is not responding';
  return error instanceof DatabaseCorruptError ? 'the database is damaged' : 'the database is not responding';
}
