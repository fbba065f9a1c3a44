import type { FastifyInstance } from 'fastify';
import { endpoints, notificationSchema, type Notification } from '../../protocol/index.ts';
import { actorOf } from '../auth/caller.ts';
import { conflict, notFound, Problem } from '../errors/problem.ts';
import type { ServiceContext } from '../service-context.ts';
import { deleteNotifications, insertNotification, listNotifications } from '../storage/notifications.ts';
import { check } from '../errors/validation.ts';
import { findOwnThread } from './own-thread.ts';
import { parsePageQuery, readList, type PageQuery } from './pagination.ts';
import { routePattern } from '../http/route-pattern.ts';
import { canonicalize } from './idempotency.ts';
import { threadIdOf } from './thread-id.ts';

/** Maximum number of notifications in a response. */
const listLimit = 1_000;

/** The endpoints that create and delete notifications, and the extension that lists them. */
export function notificationRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, store, audit } = context;

  app.post(endpoints.createNotification.path(), async (request, reply) => {
    const caller = await context.authenticate(request, 'notify');
    const notification = check(notificationSchema, request.body, 'body');
    if (notification.tenant_id != null && notification.tenant_id !== caller.tenantId) {
      throw new Problem(403, {
        loc: ['body', 'tenant_id'],
        msg: "must be the token's tenant",
        type: 'forbidden_tenant',
      });
    }
    const { thread_id: id } = notification;
    const loc = ['body', 'thread_id'];
    const thread = await findOwnThread(context, request, caller, { id, loc });
    const stored = await insertNotification(store, thread, notification, comparable);
    if (stored === 'no-thread') throw notFound('thread', loc);
    if (stored === 'clash') throw conflict(['body', 'id'], 'this id is in use for another notification');
    return reply.code(201).send(stored);
  });

  app.get<{ Querystring: PageQuery & { thread_id?: string } }>(
    endpoints.createNotification.path(),
    async (request, reply) => {
      const caller = await context.authenticate(request, 'notify');
      const id = threadIdOf(request.query.thread_id, 'query');
      const thread = await findOwnThread(context, request, caller, { id, loc: ['query', 'thread_id'] });
      const page = parsePageQuery(request.query, listLimit, 'a notification');
      const notifications = await readList(context, caller, reply, (admit) =>
        listNotifications(store.database, thread, { ...page, admit }),
      );
      return { notifications };
    },
  );

  app.delete<{ Params: { thread_id: string } }>(
    routePattern(endpoints.deleteNotifications, settings.productPath, ':thread_id'),
    async (request, reply) => {
      const caller = await context.authenticate(request, 'notify');
      const id = threadIdOf(request.params.thread_id);
      const thread = await findOwnThread(context, request, caller, { id, loc: ['path', 'thread_id'] });
      await deleteNotifications(store.database, thread.id);
      audit.record({ action: 'notifications.deleted', ...actorOf(caller), thread_id: thread.id });
      return reply.code(204).send();
    },
  );
}

/**
 * Serializes a record so that equal records are equal texts: key order, `null` and the case of identifiers do
 * not matter.
 */
function comparable(record: Notification): string {
  const { id, thread_id: threadId, run_id: runId } = record;
  return JSON.stringify(
    canonicalize({
      ...record,
      id: id?.toLowerCase() ?? null,
      thread_id: threadId.toLowerCase(),
      run_id: runId?.toLowerCase() ?? null,
    }),
  );
}
