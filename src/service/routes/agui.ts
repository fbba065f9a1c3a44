import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { runRequestSchema } from '../../protocol/index.ts';
import { reachOf, type Caller } from '../auth/caller.ts';
import { invalid } from '../errors/problem.ts';
import { check } from '../errors/validation.ts';
import { aguiEncoder } from '../facades/agui-encoder.ts';
import {
  aguiInputSchema,
  knownCallsOf,
  mayRepeat,
  sentMessages,
  toRunRequest,
  type AguiInput,
} from '../facades/agui-input.ts';
import type { ServiceContext } from '../service-context.ts';
import { listMessages } from '../storage/messages.ts';
import { start } from '../storage/run-events.ts';
import { findThread } from '../storage/threads.ts';
import { sendRun, startOrFindRun } from './runs.ts';

/** AG-UI clients stop a run by closing the stream: it is cancelled if nobody reads it after this time, in ms. */
const graceMs = 5_000;
/** How many of the newest messages are searched for those that the client sends again, and their bytes. */
const searched = { limit: 200, bytes: 4 * 1024 * 1024 };

/**
 * Serves every agent to AG-UI clients: `POST /api/v1/agui/{agent_id}`. A run is stored like any other. The same `runId`
 * again, from the same visitor, reads the run from its start.
 */
export function aguiRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, engine } = context;
  if (!settings.facades.includes('agui')) return;

  app.post<{ Params: { agent_id: string } }>('/api/v1/agui/:agent_id', async (request, reply) => {
    const caller = await context.authenticate(request, 'run');
    const input = check(aguiInputSchema, request.body, 'body');
    const thread = await threadOf(context, input.threadId, caller);
    const runRequest = toRunRequest(
      input,
      thread.isKnown ? await sentBefore(context, thread.id, input) : new Set(),
    );
    if (!runRequest)
      throw invalid(['body', 'messages'], 'must contain a user message after the last answer, or `resume`');
    const body = check(
      runRequestSchema,
      {
        ...runRequest,
        agent_id: request.params.agent_id,
        ...(thread.isKnown ? { thread_id: thread.id } : {}),
      },
      'body',
    );
    const run = await startOrFindRun(context, { body, caller, request, newThreadId: thread.id });
    void reply.header('x-thread-id', run.thread_id);
    const encoder = aguiEncoder({ threadId: input.threadId, runId: input.runId }, knownCallsOf(input));
    await sendRun(context, request, reply, { run, cursor: start, encoder });
    if (!reply.raw.writableFinished) engine.cancelUnlessRead(run.id, graceMs);
    return reply;
  });
}

/**
 * Finds the thread that an AG-UI client means: one of the visitor's with that id, else one whose id is a hash of it and
 * the visitor. AG-UI clients choose the ids of their threads.
 */
async function threadOf(
  { store }: ServiceContext,
  clientThreadId: string,
  caller: Caller,
): Promise<{ readonly id: string; readonly isKnown: boolean }> {
  const id = uuidFrom([caller.tenantId, caller.author, clientThreadId]);
  for (const candidate of [clientThreadId, id]) {
    const thread = await findThread(store.database, candidate, reachOf(caller));
    if (thread) return { id: thread.id, isKnown: true };
  }
  return { id, isKnown: false };
}

/** Returns the ids of the client's messages that earlier runs contain. */
async function sentBefore(
  { store }: ServiceContext,
  threadId: string,
  input: AguiInput,
): Promise<ReadonlySet<string>> {
  if (!mayRepeat(input)) return new Set();
  const thread = await listMessages(store.database, threadId, searched);
  return sentMessages(
    thread.map(({ stored }) => stored),
    input,
  );
}

/**
 * A version 8 UUID made from a SHA-256 hash.
 * @source RFC 9562, section 5.8
 */
function uuidFrom(parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
