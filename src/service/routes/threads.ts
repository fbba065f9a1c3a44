import type { FastifyInstance, FastifyRequest } from 'fastify';
import { extensionEndpoints } from '../../protocol/index.ts';
import { actorOf, limitKeyOf, type Caller } from '../auth/caller.ts';
import { showDecisions } from '../decisions/show-decisions.ts';
import { maxTimeoutMs } from '../max-timeout.ts';
import { tooMany } from '../errors/problem.ts';
import type { ServiceContext } from '../service-context.ts';
import { maxListBytes } from '../storage/payload-size.ts';
import { callbackMessagesAfter, listMessages, type InTurn, type PlacedMessage } from '../storage/messages.ts';
import type { StoredEvent } from '../storage/run-events.ts';
import { deleteThread, type Thread } from '../storage/threads.ts';
import { findOwnThread } from './own-thread.ts';
import { parsePageQuery, readList, type PageQuery } from './pagination.ts';
import { parseLastEventId } from './last-event-id.ts';
import { routePattern } from '../http/route-pattern.ts';
import { threadIdOf } from './thread-id.ts';

/** Longest list of messages. */
const listLimit = 5_000;
/** Fallback poll interval, in case a notification from another instance is lost. */
const pollIntervalMs = 30_000;

interface ThreadRoute {
  Params: { thread_id: string };
  Querystring: PageQuery;
}

/** Extensions that read, follow and delete a thread. */
export function threadRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, store, engine, streams, audit } = context;
  const product = settings.productPath;

  /** Number of threads that each caller follows on this instance. */
  const following = new Map<string, number>();
  const inTurn = createTurns();

  app.get<ThreadRoute>(
    routePattern(extensionEndpoints.listMessages, product, ':thread_id'),
    async (request, reply) => {
      const { thread, caller } = await ownThread(request);
      const page = parsePageQuery(request.query, listLimit, 'a message');
      const messages = await readList(context, caller, reply, (admit) =>
        listMessages(store.database, thread.id, { ...page, bytes: maxListBytes, admit }),
      );
      const stored = messages.map((placed) => placed.stored);
      return { messages: await showDecisions(store.database, stored) };
    },
  );

  app.get<ThreadRoute>(
    routePattern(extensionEndpoints.threadEvents, product, ':thread_id'),
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { thread, caller } = await ownThread(request);
      const cursor = parseLastEventId(request, { ms: 0 }, 'thread');
      const leave = enter(caller);
      try {
        const end = endOf(caller);
        await streams.send(request, reply, (gone) =>
          follow(thread.id, cursor.ms, AbortSignal.any([gone, ...end])),
        );
      } finally {
        leave();
      }
      return reply;
    },
  );

  app.delete<ThreadRoute>(
    routePattern(extensionEndpoints.deleteThread, product, ':thread_id'),
    async (request, reply) => {
      const { thread, caller } = await ownThread(request);
      await engine.endRuns((run) => run.thread_id === thread.id);
      await deleteThread(store, thread.id);
      audit.record({ action: 'thread.deleted', ...actorOf(caller), thread_id: thread.id });
      return reply.code(204).send();
    },
  );

  /**
   * Counts a follower. Returns a function that removes it. The run limit applies, because a follower holds a
   * connection like a run.
   */
  function enter(caller: Caller): () => void {
    const name = limitKeyOf(caller);
    const count = following.get(name) ?? 0;
    if (settings.runLimit > 0 && count >= settings.runLimit)
      throw tooMany('too many followed threads; close one', 5, 'RUN_LIMIT');
    following.set(name, count + 1);
    return () => {
      const left = (following.get(name) ?? 1) - 1;
      if (left === 0) following.delete(name);
      else following.set(name, left);
    };
  }

  async function ownThread(
    request: FastifyRequest<ThreadRoute>,
  ): Promise<{ thread: Thread; caller: Caller }> {
    const caller = await context.authenticate(request, 'run');
    const id = threadIdOf(request.params.thread_id);
    const thread = await findOwnThread(context, request, caller, { id, loc: ['path', 'thread_id'] });
    return { thread, caller };
  }

  /**
   * Yields the callback messages after a position, then new ones. Ends when the service stops or the thread
   * is deleted.
   */
  async function* follow(
    threadId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[]> {
    let cursor = after;
    while (!signal.aborted && !engine.stopping) {
      const changed = engine.threadChanged(threadId, pollIntervalMs, signal);
      const messages = await callbackMessagesAfter(store.database, threadId, cursor, inTurn);
      const last = messages.at(-1);
      if (last) {
        cursor = last.clock;
        yield messages.map(eventOf);
        continue;
      }
      await changed;
      const rows = store.database.selectFrom('threads').select('id').where('id', '=', threadId);
      if (!signal.aborted && !(await rows.executeTakeFirst())) return;
    }
  }
}

/** Runs work one after another. The next one starts when the result of the one before was written to its stream. */
function createTurns(): InTurn {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = before.then(work);
    const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    before = turn.then(written, written);
    return turn;
  };
}

/** Aborts when the caller's token expires. Clients then reconnect with a new one. */
function endOf({ expiresAtMs }: Caller): AbortSignal[] {
  return expiresAtMs === undefined
    ? []
    : [AbortSignal.timeout(Math.min(Math.max(0, expiresAtMs - Date.now()), maxTimeoutMs))];
}

function eventOf(placed: PlacedMessage): StoredEvent {
  const { stored } = placed;
  const data = { thread_id: stored.thread_id, message_id: stored.id, message: stored };
  return { ms: placed.clock, sequence: 0, event: 'message.created', json: JSON.stringify(data) };
}
