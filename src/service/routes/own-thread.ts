import type { FastifyRequest } from 'fastify';
import { reachOf, type Caller } from '../auth/caller.ts';
import { notFound } from '../errors/problem.ts';
import { originOf } from '../http/cors.ts';
import { noteFacts } from '../http/request-log.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Database } from '../storage/store.ts';
import { findThread, type Thread } from '../storage/threads.ts';

/**
 * Finds a thread that the caller has access to, from an origin that may use its agent.
 * @param options.loc where the request names the thread
 * @param options.database a transaction to read in
 * @throws Problem 403 or 404
 */
export async function findOwnThread(
  { store, agents }: ServiceContext,
  request: FastifyRequest,
  caller: Caller,
  options: { readonly id: string; readonly loc: readonly string[]; readonly database?: Database },
): Promise<Thread> {
  const { id, loc, database = store.database } = options;
  const thread = await findThread(database, id, reachOf(caller));
  if (!thread) throw notFound('thread', loc);
  noteFacts(request, { agent_id: thread.agent_id, thread_id: thread.id });
  agents.admit(thread.agent_id, originOf(request));
  return thread;
}
