import type { FastifyInstance } from 'fastify';
import {
  extensionEndpoints,
  threadChangeSchema,
  type ListedThread as ThreadOnWire,
  type ThreadList,
} from '../../protocol/index.ts';
import { actorOf, reachOf } from '../auth/caller.ts';
import { forbiddenOrigin, invalid, notFound } from '../errors/problem.ts';
import { check } from '../errors/validation.ts';
import { routePattern } from '../http/route-pattern.ts';
import { originOf } from '../http/cors.ts';
import type { ServiceContext } from '../service-context.ts';
import { changeThread, listThreads, searchThreads, type ListedThread } from '../storage/thread-list.ts';
import { plainTitle } from '../storage/message-text.ts';
import { findOwnThread } from './own-thread.ts';
import { parseLimit } from './pagination.ts';
import { threadIdOf } from './thread-id.ts';

const defaultLimit = 30;
const maxLimit = 100;
const maxQueryLength = 200;

interface ListRoute {
  Querystring: {
    readonly query?: string;
    readonly before?: string;
    readonly limit?: string;
    readonly archived?: string;
    readonly agent_id?: string;
  };
}

/** Extensions that list, search, rename and archive threads. */
export function threadListRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, store, agents, audit } = context;
  const product = settings.productPath;

  app.get<ListRoute>(extensionEndpoints.listThreads.path(product), async (request): Promise<ThreadList> => {
    const caller = await context.authenticate(request, 'run');
    const origin = originOf(request);
    if (origin !== undefined && !agents.knowsOrigin(origin)) throw forbiddenOrigin();
    const { query = '', before, archived = 'false', agent_id: agentId } = request.query;
    const selection = {
      reach: reachOf(caller),
      archived: flagOf('archived', archived),
      agentId: textOf('agent_id', agentId),
      closedAgents: agents.closedTo(origin),
      limit: parseLimit(request.query.limit, maxLimit, defaultLimit),
    };
    if (textOf('query', query).trim() === '') {
      const { threads, next } = await listThreads(store.database, selection, positionOf(before));
      return { threads: threads.map(onWire), next: next ? `t${next.updatedOn}.${next.id}` : null };
    }
    const { threads, next } = await searchThreads(store, { ...selection, query }, placeOf(before));
    return { threads: threads.map(onWire), next: next === undefined ? null : `m${next}` };
  });

  app.patch<{ Params: { thread_id: string } }>(
    routePattern(extensionEndpoints.changeThread, product, ':thread_id'),
    async (request): Promise<ThreadOnWire> => {
      const caller = await context.authenticate(request, 'run');
      const { title, archived } = check(threadChangeSchema, request.body, 'body');
      const threadId = threadIdOf(request.params.thread_id);
      if (title == null && archived == null)
        throw invalid(['body'], 'must have title or archived', 'missing');
      const loc = ['path', 'thread_id'];
      const thread = await findOwnThread(context, request, caller, { id: threadId, loc });
      const changed = await changeThread(store, thread.id, {
        title: title == null ? undefined : plainTitle(title) || null,
        archived: archived ?? undefined,
      });
      if (!changed) throw notFound('thread', loc);
      const fields = [...(title == null ? [] : ['title']), ...(archived == null ? [] : ['archived'])];
      audit.record({ action: 'thread.changed', ...actorOf(caller), thread_id: thread.id, fields });
      return onWire(changed);
    },
  );
}

function textOf(name: string, value: string | undefined): string;
function textOf(name: string, value: unknown): string | undefined;
/** @throws Problem 422 when a parameter is repeated, too long or no text */
function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(['query', name], 'must be given once');
  if (value.includes('\0')) throw invalid(['query', name], 'must not contain NUL'); // PostgreSQL has no such texts
  if (value.length > maxQueryLength)
    throw invalid(['query', name], `must have at most ${maxQueryLength} characters`, 'too_long');
  return value;
}

function flagOf(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalid(['query', name], 'must be true or false');
  return value === 'true';
}

/** Parses `before` of a list. @throws Problem 422 */
function positionOf(before: string | undefined): { updatedOn: number; id: string } | undefined {
  if (before === undefined) return undefined;
  const [, updatedOn, id = ''] = /^t(\d{1,15})\.([0-9a-f-]{36})$/.exec(before) ?? [];
  if (updatedOn === undefined) throw wrongBefore();
  return { updatedOn: Number(updatedOn), id };
}

/** Parses `before` of a search. @throws Problem 422 */
function placeOf(before: string | undefined): number | undefined {
  if (before === undefined) return undefined;
  const [, place] = /^m(\d{1,16})$/.exec(before) ?? [];
  if (place === undefined || !Number.isSafeInteger(Number(place))) throw wrongBefore();
  return Number(place);
}

function wrongBefore(): Error {
  return invalid(['query', 'before'], 'must be `next` of a response to the same query');
}

function onWire(thread: ListedThread): ThreadOnWire {
  const { id, agent_id, title, agent_title, first_words, last_line, last_role, match } = thread;
  return {
    id,
    agent_id,
    title: title ?? agent_title ?? first_words ?? '',
    last_message: last_line ? { role: last_role ?? '', text: last_line } : null,
    unread: Number(thread.unread),
    archived: thread.archived === 1,
    created_on: timeOf(thread.created_on),
    updated_on: timeOf(thread.updated_on),
    ...(match
      ? {
          match: {
            message_id: match.messageId ?? null,
            text: match.text,
            created_on: timeOf(match.createdOn),
          },
        }
      : {}),
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
