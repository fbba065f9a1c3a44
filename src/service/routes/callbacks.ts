import type { FastifyInstance } from 'fastify';
import { endpoints, messageSchema, type Message, type StoredMessage } from '../../protocol/index.ts';
import type { Caller } from '../auth/caller.ts';
import { invalid, notFound } from '../errors/problem.ts';
import type { ServiceContext } from '../service-context.ts';
import { findByClientMessageId, insertMessage } from '../storage/messages.ts';
import { namedPerson } from '../storage/message-author.ts';
import { holdThread } from '../storage/threads.ts';
import { check } from '../errors/validation.ts';
import { checkContent, checkRole } from './check-message.ts';
import { clientMessageIdInUse, clientMessageIdOf, hashOfContent } from './idempotency.ts';
import { routePattern } from '../http/route-pattern.ts';
import { findOwnThread } from './own-thread.ts';
import { threadIdOf } from './thread-id.ts';

/** The callback endpoint: adds a message to a thread from outside and delivers it to all followers. */
export function callbackRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, store, agents } = context;
  const path = routePattern(endpoints.postCallback, settings.productPath, ':thread_id');

  app.post<{ Params: { thread_id: string } }>(path, async (request, reply) => {
    const caller = await context.authenticate(request, 'callback');
    const threadId = threadIdOf(request.params.thread_id);
    const message = check(messageSchema, request.body, 'body');
    checkContent(message, settings.messageLimit, ['body', 'content']);
    if (caller.subject === undefined) checkPerson(message);
    const clientMessageId = clientMessageIdOf(message);
    const contentHash = hashOfContent(message.content);

    const stored = await store.transaction(async (database, announce) => {
      const loc = ['path', 'thread_id'];
      const thread = await findOwnThread(context, request, caller, { id: threadId, loc, database });
      checkRole(message, caller, { roles: agents.rolesOf(thread.agent_id), loc: ['body', 'role'] });
      const findBefore = async (): Promise<StoredMessage | undefined> => {
        if (clientMessageId === undefined) return undefined;
        const key = { tenantId: caller.tenantId, author: caller.author, clientMessageId };
        const before = await findByClientMessageId(database, key);
        return before && sameAs(before, thread.id, contentHash);
      };
      const before = await findBefore();
      if (before) return before;
      const placed = await insertMessage(store, database, {
        threadId: thread.id,
        tenantId: caller.tenantId,
        author: caller.author,
        role: message.role ?? defaultRole(caller),
        ...(clientMessageId === undefined ? {} : { clientMessageId }),
        contentHash,
        callback: true,
        message,
      });
      if (!placed) {
        if (!(await holdThread(store, database, thread.id))) throw notFound('thread', loc);
        const meanwhile = await findBefore(); // the same request, sent twice at once
        if (meanwhile) return meanwhile;
        throw clientMessageIdInUse(['body']);
      }
      announce(`thread:${thread.id}`);
      return placed.stored;
    });
    return reply.code(201).send(stored);
  });
}

function sameAs(
  before: { stored: StoredMessage; callback: boolean; contentHash: string | null },
  threadId: string,
  contentHash: string,
): StoredMessage {
  const same = before.callback && before.stored.thread_id === threadId && before.contentHash === contentHash;
  if (!same) throw clientMessageIdInUse(['body']);
  return before.stored;
}

/** Visitors see the name. @throws Problem 422 */
function checkPerson(message: Message): void {
  const person = namedPerson(message);
  if (!person || (person.name !== '' && person.name.length <= 100)) return;
  throw invalid(['body', 'additional_properties', 'author', 'name'], 'must have 1 to 100 characters');
}

/** @assumed without a role, a server speaks as the assistant and a visitor as the user */
function defaultRole(caller: Caller): string {
  return caller.subject === undefined ? 'assistant' : 'user';
}
