import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Agent, RegisteredAgent } from './agents/agent.ts';
import { AgentRegistry } from './agents/agent-registry.ts';
import { loadAgents } from './agents/load-agents.ts';
import { findAssetsDirectory } from './assets/assets.ts';
import { findDictionaryCompressor } from './assets/compression-dictionaries.ts';
import { createAuthenticator } from './auth/authenticate.ts';
import { RateLimit } from './auth/rate-limit.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { createCallAudit } from './decisions/call-audit.ts';
import { registerCors } from './http/cors.ts';
import { createGuard } from './guardrails/create-guard.ts';
import { createHttpServer } from './http/http-server.ts';
import { LogThrottle } from './log-throttle.ts';
import { logRequest, noteFacts, onRequestEnd, type RequestFacts } from './http/request-log.ts';
import { spanOf, traceRequests } from './http/request-spans.ts';
import { createJsonPrefix } from './http/json-prefix.ts';
import { ReleaseFiles } from './assets/release-files.ts';
import { unknownRoute } from './http/unknown-route.ts';
import { Reload } from './reload.ts';
import { listenError, listenOnAll, resolveAddresses } from './http/listen.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { InFlightRequests } from './http/in-flight-requests.ts';
import { aguiRoutes } from './routes/agui.ts';
import { assetRoutes, demoPictureRoute } from './routes/assets.ts';
import { callbackRoutes } from './routes/callbacks.ts';
import { configRoutes } from './routes/configs.ts';
import { ListLimiter } from './http/list-limiter.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { operationRoutes } from './routes/operations.ts';
import { playgroundRoutes } from './routes/playground.ts';
import { runRoutes } from './routes/runs.ts';
import { subjectRoutes } from './routes/subjects.ts';
import { threadListRoutes } from './routes/thread-list.ts';
import { threadRoutes } from './routes/threads.ts';
import type { EngineReports } from './runs/engine-reports.ts';
import { RunEngine } from './runs/run-engine.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceSettings } from './settings.ts';
import { createErrorLog, type LogError } from './http/error-log.ts';
import { startIndexing } from './storage/index-old-threads.ts';
import { migrate } from './storage/migrate.ts';
import type { Run } from './storage/runs.ts';
import { openStore } from './storage/open-store.ts';
import type { Store } from './storage/store.ts';
import { startRetention, type Retention } from './storage/retention.ts';
import { loadTracing } from './telemetry/tracing.ts';
import { UsageLedger } from './usage/usage-ledger.ts';
import { StreamResponses } from './http/stream-response.ts';
import { version } from './version.ts';

/** A service that is ready to listen. */
export interface Service {
  readonly app: FastifyInstance;
  /**
   * Starts listening. Returns the address, without a trailing slash.
   * @throws SettingsError when the address or the port is unavailable
   */
  listen(): Promise<string>;
  /** Loads `AGENTS_FILE` and `API_KEYS_FILE` again. A wrong file changes nothing; its errors are logged. */
  reload(): Promise<void>;
  /** What `reload` reads: both files, and the modules and recordings of the agents. */
  readonly files: ReadonlySet<string>;
  /**
   * Ends every run with a terminal event, closes all streams, answers pending requests and closes the
   * database.
   */
  close(): Promise<void>;
}

/** Options that cannot be settings. */
export interface ServiceOptions {
  /** Implements the agent kind `scripted` and the built-in agent `demo`. Without it, neither exists. */
  readonly scriptedAgent?: Agent;
  /** Further built-in agents of the playground. */
  readonly playgroundAgents?: readonly RegisteredAgent[];
}

/**
 * Creates a service: opens and migrates the database, ends runs that a crash left behind, registers the
 * routes.
 * @throws SettingsError when a configured file is invalid or the database cannot be opened
 */
export async function createService(
  settings: ServiceSettings,
  options: ServiceOptions = {},
): Promise<Service> {
  const jsonPrefix = createJsonPrefix(settings.identifierPrefix);
  const app = createHttpServer(settings, jsonPrefix);
  const log = app.log;
  const logError = createErrorLog(log);
  const directory = findAssetsDirectory(settings.assetsDir);
  const rate = new RateLimit(settings.rateLimit);
  const tenantRate = new RateLimit(settings.tenantRateLimit, 'TENANT_RATE_LIMIT');
  const audit = createAuditLog(
    settings.auditFile,
    (fields, text) => log.info(fields, text),
    (error) => log.error({ err: error }, 'an audit line could not be written'),
  );
  const metrics = createMetrics({
    activeRuns: () => engine.activeRuns,
    openStreams: () => streams.countByAgent(),
    retentionBacklog: () => retention.backlog(),
  });
  const agents = new AgentRegistry([]);
  const { identify, authenticate, loadKeys } = createAuthenticator(settings, { rate, tenantRate }, (error) =>
    log.warn({ err: error }, 'the key set cannot be fetched; cached keys stay valid for a day'),
  );
  const reload = new Reload({
    settings,
    agents,
    loadAgents: (uses) =>
      loadAgents(settings, {
        uses,
        scriptedAgent: options.scriptedAgent,
        playgroundAgents: options.playgroundAgents ?? [],
        note: (text) => log.warn(text),
        toolCalled: metrics.countToolCall,
      }),
    loadKeys,
    engine: () => engine,
    audit,
    log,
    count: (file, outcome) => metrics.reloads.inc({ file, outcome }),
  });
  await reload.start();
  const store = await openMigrated(settings, log, metrics);
  if (store.connections) metrics.watchConnections(store.connections);

  const usage = new UsageLedger(
    store,
    { subject: settings.tokenLimit, tenant: settings.tenantTokenLimit },
    (error) => logError(error, 'usage could not be written; it is written later'),
  );
  const stopListening = store.listen((topic) => {
    if (!topic.startsWith('subject:')) return;
    const [tenantId = '', subject = ''] = JSON.parse(topic.slice('subject:'.length)) as string[]; // written by `eraseSubject`
    usage.forget({ tenantId, subject });
  });
  const engine: RunEngine = new RunEngine({
    store,
    graceSeconds: settings.runGrace,
    leaseMs: settings.runLease * 1000,
    eventLimit: settings.eventLimit,
    guard: createGuard({
      hap: settings.hapDetectorUrl,
      social_bias: settings.socialBiasDetectorUrl,
      pii: settings.piiDetectorUrl,
    }),
    reports: runReports({ log, logError, metrics, usage, playground: settings.playground }),
  });
  const streams: StreamResponses = new StreamResponses({
    rename: jsonPrefix.toExternal,
    onError: (error) => logError(error, 'a stream was interrupted'),
  });
  await orClose(store, engine.open());
  const retention: Retention = startRetention(store, settings, (error) =>
    logError(error, 'old data could not be removed'),
  );
  const indexing = startIndexing(store, (error) =>
    logError(error, 'older threads could not be added to the search index; tried again in a minute'),
  );

  /** Asked for once, by the first run: each question is a system call. */
  let ownAddress: string | undefined;
  const context: ServiceContext = {
    settings,
    store,
    engine,
    agents,
    streams,
    rate,
    listLimiter: new ListLimiter(),
    metrics,
    audit,
    auditCall: createCallAudit(audit),
    usage,
    rename: jsonPrefix.toExternal,
    log,
    authenticate: async (request, ...oneOf) => {
      const { tenantId } = await identify(request);
      noteFacts(request, { tenant_id: tenantId });
      return authenticate(request, ...oneOf);
    },
    callbackBaseUrl: () =>
      settings.publicUrl ?? (ownAddress ??= listenAddress(app.server.address(), settings.port)),
    baseUrlFor: (request) =>
      settings.publicUrl ??
      (request.host
        ? `${request.protocol}://${request.host}`
        : listenAddress(app.server.address(), settings.port)), // HTTP/1.0 requests have no host
  };
  registerCors(app, (origin) => agents.knowsOrigin(origin));
  traceRequests(app, await loadTracing({ withContent: settings.traceContent }));
  const requests = new InFlightRequests(app);
  app.addHook('onRequest', async (request) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
    if (request.is404) throw unknownRoute(request);
    if (/^\/(api\/)?v1\//.test(request.routeOptions.url ?? '')) await identify(request);
  });
  onRequestEnd(app, (request, reply) => {
    logRequest(request, reply, spanOf(request).traceId);
    const route = request.routeOptions.url ?? 'unknown';
    metrics.requests.inc({ method: request.method, route, status: String(reply.statusCode) });
    if (!streams.has(reply))
      metrics.requestSeconds.observe({ method: request.method, route }, reply.elapsedTime / 1000);
  });
  for (const register of [
    runRoutes,
    aguiRoutes,
    configRoutes,
    callbackRoutes,
    notificationRoutes,
    threadRoutes,
    threadListRoutes,
    subjectRoutes,
    operationRoutes,
  ]) {
    register(app, context);
  }
  const releases = new ReleaseFiles(store);
  await releases.add(directory, version).catch((error: unknown) => {
    log.warn(
      { err: error },
      'this release of the script could not be kept for pages opened before the next update',
    );
  });
  assetRoutes(app, { directory, releases, compressWithDictionary: await findDictionaryCompressor() });
  demoPictureRoute(app, { directory: `${directory}/demo`, agents });
  if (settings.playground && settings.jwtSecret !== undefined) {
    playgroundRoutes(app, {
      directory: `${directory}/demo`,
      secret: settings.jwtSecret,
      claims: settings,
    });
  }

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const hasListened = app.server.listening;
    if (hasListened) {
      log.info(
        { active_runs: engine.activeRuns },
        `the service stops: active runs have ${settings.drainTimeout} s to end`,
      );
    }
    requests.endConnections();
    await engine.drain(settings.drainTimeout);
    await engine.stop();
    await Promise.all(agents.all.map(({ agent }) => agent.close?.()));
    streams.close();
    await requests.drain();
    await app.close();
    await Promise.all([retention.stop(), indexing.stop()]);
    stopListening();
    await usage.close();
    audit.close();
    await store.close();
    if (hasListened) log.info('the service has stopped');
  };
  return {
    app,
    reload: () => reload.again(),
    files: reload.files,
    listen: async () => {
      const { host, port } = settings;
      const address = await listenOnAll(app, await resolveAddresses(host), port).catch((error: unknown) => {
        throw listenError(settings, error);
      });
      log.info({ version, node: process.version, database: store.engine }, 'the service has started');
      return address.replace('[::1]', 'localhost');
    },
    close: () => (closed ??= close()),
  };
}

/** Opens and migrates the database. */
async function openMigrated(
  settings: ServiceSettings,
  log: FastifyBaseLogger,
  metrics: Metrics,
): Promise<Store> {
  const store = await openStore(
    settings,
    createErrorLog(log),
    (ms) => metrics.statementSeconds.observe(ms / 1000),
    (text) => log.warn(text),
  );
  await orClose(
    store,
    migrate(store).then(() => store.events.open()),
  );
  return store;
}

/** Waits for `work`. On failure, closes the store, so a retry does not find its directory locked. */
async function orClose(store: Store, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    await store.close().catch(() => undefined); // report the first error
    throw error;
  }
}

/**
 * Sends reports of runs to the log and the metrics. Each note of an agent is logged once, each warning at most once a
 * minute; in the playground once in each run, because an author who tries a change wants to read whether it helped.
 */
function runReports({
  log,
  logError,
  metrics,
  usage,
  playground,
}: {
  readonly log: FastifyBaseLogger;
  readonly logError: LogError;
  readonly metrics: Metrics;
  readonly usage: UsageLedger;
  readonly playground: boolean;
}): EngineReports {
  const noted = new Set<string>();
  const warnings = new LogThrottle();
  return {
    error: (error, what, run) => logError(error, what, run && factsOf(run)),
    note: (text, agentId) => {
      const once = `${agentId}\n${text}`;
      if (noted.has(once)) return;
      if (noted.size < 10_000) noted.add(once);
      log.warn({ agent_id: agentId }, text);
    },
    warn: (text, run) => {
      const source = playground ? run.id : run.agent_id;
      if (warnings.admits(`${source}\n${text}`)) log.warn(factsOf(run), text);
    },
    event: (event) => metrics.countEvent(event),
    firstToken: (agent, seconds) => metrics.firstTokenSeconds.observe({ agent }, seconds),
    guardrailStop: (agent, { guardrail, side }) => metrics.guardrailStops.inc({ agent, guardrail, side }),
    leaseLost: (agent) => metrics.leasesLost.inc({ agent }),
    orphanEnded: (run) => {
      metrics.orphanedRuns.inc({ agent: run.agent_id });
      log.warn({ ...factsOf(run), status: 'expired', reason: 'owner_died' }, 'run ended');
    },
    runStarted: (agent) => metrics.runsStarted.inc({ agent }),
    runEnded: ({ run, agentId: agent, status, reason, seconds, tokens, traceId }) => {
      metrics.runsEnded.inc({ agent, status });
      metrics.runSeconds.observe({ agent }, seconds);
      metrics.countTokens({ agent, tenant: run.tenant_id, ...tokens });
      const owner = { tenantId: run.tenant_id, subject: run.author, agentId: agent };
      const counts = { input_tokens: tokens.input, output_tokens: tokens.output };
      const duration_ms = Math.round(seconds * 1000);
      const trace = traceId === undefined ? {} : { trace_id: traceId };
      const facts = { ...factsOf(run), ...trace, status, reason, duration_ms, ...counts };
      log[status === 'failed' ? 'warn' : 'info'](facts, 'run ended');
      usage.record(owner, { runs: 1, inputTokens: tokens.input, outputTokens: tokens.output });
    },
  };
}

/** The ids of a run, for the log. */
function factsOf(run: Pick<Run, 'id' | 'thread_id' | 'tenant_id' | 'agent_id'>): RequestFacts {
  const { id: run_id, thread_id, tenant_id, agent_id } = run;
  return { tenant_id, agent_id, thread_id, run_id };
}

/**
 * Returns the local URL of the service.
 * @param port the configured port, used before the service listens
 */
function listenAddress(bound: AddressInfo | string | null, port: number): string {
  if (bound === null || typeof bound === 'string') return `http://localhost:${port}`;
  const { address } = bound;
  const host = address === '::' || address === '0.0.0.0' || address === '::1' ? 'localhost' : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}
