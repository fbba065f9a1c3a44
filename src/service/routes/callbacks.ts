import type { FastifyInstance } from 'fastify';
import { endpoints, messageSchema, type Message, type StoredMessage } from '../../protocol/index.ts';
import { isLongerThan } from '../agents/agent.ts';
import { reachOf, type Caller } from '../auth/caller.ts';
import { conflict, invalid, notFound, Problem, tooLarge } from '../errors/problem.ts';
import { originOf } from '../http/cors.ts';
import type { ServiceContext } from '../service-context.ts';
import { findByClientMessageId, insertMessage } from '../storage/messages.ts';
import { namedPerson } from '../storage/message-author.ts';
import { findThread } from '../storage/threads.ts';
import { check } from '../errors/validation.ts';
import { checkRole } from './check-role.ts';
import { clientMessageIdOf, hashOfContent } from './idempotency.ts';
import { noteFacts } from '../http/request-log.ts';
import { routePattern } from '../http/route-pattern.ts';
import { threadIdOf } from './thread-id.ts';

/** Endpoint 3: adds a message to a thread from outside and delivers it to all followers. */
export function callbackRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, store, agents } = context;
  const path = routePattern(endpoints.postCallback, settings.productPath, ':thread_id');

  app.post<{ Params: { thread_id: string } }>(path, async (request, reply) => {
    const caller = await context.authenticate(request, 'callback');
    const threadId = threadIdOf(request.params.thread_id);
    const message = check(messageSchema, request.body, 'body');
    if (message.content == null) {
      throw new Problem(422, { loc: ['body', 'content'], msg: 'is required', type: 'missing' });
    }
    if (isLongerThan(message, settings.messageLimit)) {
      throw tooLarge(
        ['body', 'content'],
        `must have at most ${settings.messageLimit} characters of text`,
        'MESSAGE_LIMIT',
      );
    }
    if (caller.subject === undefined) checkPerson(message);
    const clientMessageId = clientMessageIdOf(message);
    const contentHash = hashOfContent(message.content);

    const stored = await store.transaction(async (database, announce) => {
      const thread = await findThread(database, threadId, reachOf(caller));
      if (!thread) throw notFound('thread', ['path', 'thread_id']);
      noteFacts(request, { agent_id: thread.agent_id, thread_id: thread.id });
      agents.admit(thread.agent_id, originOf(request));
      checkRole(message, caller, { roles: agents.rolesOf(thread.agent_id), loc: ['body', 'role'] });
      if (clientMessageId !== undefined) {
        const key = { tenantId: caller.tenantId, author: caller.author, clientMessageId };
        const before = await findByClientMessageId(database, key);
        if (before) return sameAs(before, thread.id, contentHash);
      }
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
      if (!placed) throw clash();
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
  if (!same) throw clash();
  return before.stored;
}

function clash(): Problem {
  return conflict(
    ['body', 'additional_properties', 'client_message_id'],
    'this client_message_id is in use for another message',
  );
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
