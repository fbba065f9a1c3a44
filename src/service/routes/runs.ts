import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  endpoints,
  extensionEndpoints,
  runRequestSchema,
  type RunRequest,
  type StoredMessage,
} from '../../protocol/index.ts';
import { isSilent, ServiceFailure, type Agent, type RegisteredAgent } from '../agents/agent.ts';
import { capParameters, enforceGuardrails } from '../agents/agent-policy.ts';
import { reachOf, type Caller } from '../auth/caller.ts';
import { callsOfRuns, type CallRow } from '../decisions/call-store.ts';
import { decide, mayDecide } from '../decisions/decide.ts';
import { StoredRunCalls } from '../decisions/run-calls.ts';
import { isWithheld } from '../guardrails/withheld-message.ts';
import { notFound, tooMany, unavailable } from '../errors/problem.ts';
import { branchBefore } from '../runs/branch-before.ts';
import { originOf } from '../http/cors.ts';
import type { ServiceContext } from '../service-context.ts';
import { listMessages, type ClientMessageKey } from '../storage/messages.ts';
import { start, type Cursor } from '../storage/run-events.ts';
import { findRun, findRunByClientMessageId, keepCancelIntent, type Run } from '../storage/runs.ts';
import type { Database } from '../storage/store.ts';
import { findThread } from '../storage/threads.ts';
import { check } from '../errors/validation.ts';
import { checkContent, checkRole } from './check-message.ts';
import { parseLastEventId } from './last-event-id.ts';
import { clientMessageIdInUse, clientMessageIdOf, hashOfContent, storableId } from './idempotency.ts';
import { noteFacts } from '../http/request-log.ts';
import { spanOf } from '../http/request-spans.ts';
import type { Encoder } from '../http/encode-run-stream.ts';
import { routePattern } from '../http/route-pattern.ts';
import { continueTrace } from '../http/traceparent.ts';

/** How many of the newest messages an agent receives, and how many bytes. They stay in memory until the run ends. */
const history = { limit: 500, bytes: 4 * 1024 * 1024 };
/** Most open streams of one run on an instance: each holds a connection, and a run may last for hours. */
const maxReaders = 100;

/** The endpoint that starts a run, and the extensions that read and cancel it. */
export function runRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, engine, store } = context;
  const product = settings.productPath;

  app.post(endpoints.runStream.path(product), async (request, reply) => {
    const caller = await context.authenticate(request, 'run');
    const body = check(runRequestSchema, request.body, 'body');
    const run = await startOrFindRun(context, { body, caller, request });
    await sendRun(context, request, reply, { run, cursor: start });
    return reply;
  });

  app.get<{ Params: { run_id: string } }>(
    routePattern(extensionEndpoints.runEvents, product, ':run_id'),
    { exposeHeadRoute: false },
    async (request, reply) => {
      const caller = await context.authenticate(request, 'run');
      const run = await findNamedRun(context, request.params.run_id, caller, originOf(request));
      if (!run) throw notFound('run', ['path', 'run_id']);
      const cursor = parseLastEventId(request, start, 'run');
      await sendRun(context, request, reply, { run, cursor });
      return reply;
    },
  );

  app.post<{ Params: { run_id: string } }>(
    routePattern(extensionEndpoints.cancelRun, product, ':run_id'),
    async (request, reply) => {
      const caller = await context.authenticate(request, 'run');
      const name = request.params.run_id;
      const find = (): Promise<Run | undefined> => findNamedRun(context, name, caller, originOf(request));
      let run = await find();
      if (!run) {
        await keepCancelIntent(store, messageKey(name, caller));
        run = await find(); // it may have begun meanwhile
      }
      if (!run) throw notFound('run', ['path', 'run_id']);
      noteFacts(request, { agent_id: run.agent_id, thread_id: run.thread_id, run_id: run.id });
      await engine.cancel(run.id);
      return reply.code(202).send({
        run_id: run.id,
        thread_id: run.thread_id,
        status: run.status === 'running' ? 'cancelling' : run.status,
      });
    },
  );
}

/** A run to start, for the sender of an HTTP request. */
interface RequestedRun {
  readonly body: RunRequest;
  readonly caller: Caller;
  readonly request: FastifyRequest;
  /** Id of the thread to create, if `body` has no `thread_id`. */
  readonly newThreadId?: string;
}

/**
 * Returns the run that the sender's message opened before, or starts one.
 * @throws Problem
 */
export async function startOrFindRun(context: ServiceContext, requested: RequestedRun): Promise<Run> {
  const { body, caller } = requested;
  const { settings, engine, usage } = context;
  checkContent(body.message, settings.messageLimit, ['body', 'message', 'content']);
  if (engine.stopping) throw unavailable('the service is stopping');
  /** Why no run may begin. One that has begun is found nevertheless. */
  let refusal: unknown;
  await usage.check({ tenantId: caller.tenantId, subject: caller.author }).catch((error: unknown) => {
    refusal = error;
  });
  let stopCounting: (() => void) | undefined;
  const countNew = (): void => {
    if (stopCounting) return;
    if (refusal !== undefined) throw refusal as Error;
    if (settings.runLimit > 0 && engine.runsOf(caller) >= settings.runLimit) {
      throw tooMany('too many concurrent runs; wait for one to end', 5, 'RUN_LIMIT');
    }
    if (
      settings.tenantRunLimit > 0 &&
      engine.runsOf({ tenantId: caller.tenantId }) >= settings.tenantRunLimit
    ) {
      throw tooMany('too many concurrent runs of this tenant; wait for one to end', 5, 'TENANT_RUN_LIMIT');
    }
    stopCounting = engine.countStarting(caller);
  };
  try {
    return await openRun(context, { ...requested, countNew });
  } finally {
    stopCounting?.();
  }
}

async function openRun(
  context: ServiceContext,
  requested: RequestedRun & { readonly countNew: () => void },
): Promise<Run> {
  const { settings, store, engine, agents } = context;
  const { body, caller, request, countNew } = requested;
  const origin = originOf(request);
  const findAgent = (id: string | null | undefined): RegisteredAgent =>
    agents.find(id, ['body', 'agent_id'], caller.tenantId);
  let agent = findAgent(body.agent_id);
  checkRole(body.message, caller, { roles: agents.rolesOf(agent.id), loc: ['body', 'message', 'role'] });
  let answered: readonly CallRow[] = [];
  let decided: readonly CallRow[] = [];
  const beginning = await engine.start({
    reach: reachOf(caller),
    author: caller.author,
    threadId: body.thread_id ?? undefined,
    newThreadId: requested.newThreadId,
    agentId: agent.id,
    message: body.message,
    clientMessageId: clientMessageIdOf(body.message),
    contentHash: hashOf(body.message.content),
    admit: (thread) => {
      agents.admit(agent.id, origin);
      // The run receives the thread's history, so the origin needs access to the thread's agent too.
      if (thread) agents.admit(thread.agent_id, origin);
    },
    admitNew: () => {
      countNew();
      agent = findAgent(agent.id); // one that was replaced meanwhile may be closed before the run is counted
    },
    ...(mayDecide(body.message)
      ? {
          begun: async (database, { id: runId, thread_id: threadId }, announce) => {
            const deciding = { runId, threadId, agentId: agent.id, author: caller.author };
            ({ answered, decided } = await decide(database, deciding, body.message));
            if (decided.length > 0) announce(`thread:${threadId}`);
          },
        }
      : {}),
  });
  if (beginning.kind === 'no-thread') throw notFound('thread', ['body', 'thread_id']);
  if (beginning.kind === 'clash') throw clientMessageIdInUse(['body', 'message']);
  if (beginning.kind === 'existing') {
    const run = await findOwnRun(context, beginning.run.id, caller, origin);
    if (!run) throw notFound('run', ['body', 'message']);
    return run;
  }

  const { run, message } = beginning;
  for (const call of decided) context.auditCall(call, call.state);
  const owner = { runId: run.id, threadId: run.thread_id, tenantId: caller.tenantId };
  const isNew = body.thread_id == null;
  const past = await readPast(store.database, message, {
    isNew,
    withCalls: agent.agent.usesTools === true,
    answered,
  }).catch((error: unknown) => ({ branch: [], calls: [], error }));
  const input = {
    agentId: agent.id,
    tenantId: caller.tenantId,
    subject: caller.author,
    message,
    history: past.branch,
    calls: new StoredRunCalls({
      store,
      owner,
      rows: past.calls,
      isAnswer: answered.length > 0,
      auditCall: context.auditCall,
      threadChanged: (ms, signal) => engine.threadChanged(run.thread_id, ms, signal),
    }),
    llmParams: capParameters(agent.policy?.llm_params, body.llm_params ?? {}),
    guardrails: enforceGuardrails(agent.policy?.guardrails, body.guardrails ?? {}),
    context: body.context ?? {},
    contextVariables: body.context_variables ?? {},
    additionalParameters: body.additional_parameters ?? {},
    environmentId: body.environment_id ?? undefined,
    version: body.version ?? undefined,
    otherFields: Object.fromEntries(
      Object.entries(body).filter(([name]) => !Object.hasOwn(runRequestSchema.shape, name)),
    ),
    requestSpan: spanOf(request),
    traceparent: continueTrace(request.headers.traceparent),
    callbackUrl: context.callbackBaseUrl() + endpoints.postCallback.path(settings.productPath, run.thread_id),
  };
  // The run is stored: without an end, whoever reads it, or repeats the message, would wait forever.
  engine.execute(beginning, 'error' in past ? { ...agent, agent: withoutPast(past.error) } : agent, input);
  return run;
}

/**
 * Reads what led to a message: the earlier messages of its branch, and their calls.
 * @param options.answered calls that the message answers: read even if their turn has been edited since
 */
async function readPast(
  database: Database,
  message: StoredMessage,
  options: { readonly isNew: boolean; readonly withCalls: boolean; readonly answered: readonly CallRow[] },
): Promise<{ readonly branch: readonly StoredMessage[]; readonly calls: readonly CallRow[] }> {
  const threadId = message.thread_id ?? '';
  const { isNew, withCalls, answered } = options;
  const before = isNew ? [] : await listMessages(database, threadId, history);
  const branch = branchBefore(
    before.map((placed) => placed.stored),
    message,
  ).filter((earlier) => !isWithheld(earlier) && !isSilent(earlier));
  const runIds = new Set([
    ...branch.flatMap((earlier) => earlier.run_id ?? []),
    ...answered.map((call) => call.run_id),
  ]);
  return { branch, calls: withCalls ? await callsOfRuns(database, threadId, runIds) : [] };
}

/** Fails a run whose past could not be read. */
function withoutPast(cause: unknown): Agent {
  return {
    run: () => {
      throw new ServiceFailure(
        'history_unavailable',
        'The conversation could not be read. Please try again.',
        {
          cause,
        },
      );
    },
  };
}

/**
 * Finds a run by its id or by the `client_message_id` of its message.
 * @throws Problem as `findOwnRun`
 */
async function findNamedRun(
  context: ServiceContext,
  name: string,
  caller: Caller,
  origin: string | undefined,
): Promise<Run | undefined> {
  const run = await findOwnRun(context, name, caller, origin);
  if (run) return run;
  const named = await findRunByClientMessageId(context.store.database, messageKey(name, caller));
  return named && findOwnRun(context, named.id, caller, origin);
}

function messageKey(name: string, { tenantId, author }: Caller): ClientMessageKey {
  return { tenantId, author, clientMessageId: storableId(name) };
}

/**
 * Finds a run that the caller has access to.
 * @throws Problem 403 when the origin may not use the agent of the run or its thread
 */
async function findOwnRun(
  context: ServiceContext,
  id: string,
  caller: Caller,
  origin: string | undefined,
): Promise<Run | undefined> {
  const { database } = context.store;
  const run = await findRun(database, storableId(id));
  const thread = await findThread(database, run?.thread_id ?? '', reachOf(caller));
  if (!run || !thread) return undefined;
  for (const agentId of new Set([run.agent_id, thread.agent_id])) context.agents.admit(agentId, origin);
  return run;
}

/**
 * Sends the events of a run after a cursor until it ends.
 * @param encoder another wire than the interface's own
 * @throws Problem 429 when the run has too many readers
 */
export async function sendRun(
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { run, cursor, encoder }: { run: Run; cursor: Cursor; encoder?: Encoder },
): Promise<void> {
  noteFacts(request, { agent_id: run.agent_id, thread_id: run.thread_id, run_id: run.id });
  void reply.header('x-run-id', run.id);
  const { engine, streams } = context;
  const reader = engine.readLive(run.id, cursor) ?? engine.readElsewhere(run, cursor);
  if (reader.live.readers >= maxReaders) throw tooMany('too many readers of this run; close one', 5);
  await streams.sendLive(request, reply, reader, encoder);
}

function hashOf(content: RunRequest['message']['content']): string {
  const items = typeof content === 'string' ? [{ response_type: 'text', text: content }] : content;
  return hashOfContent(items);
}
