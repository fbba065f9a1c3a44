import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
} from 'fastify';
import { createErrorLog } from './error-log.ts';
import { errorSerializer } from './error-serializer.ts';
import type { JsonPrefix } from './json-prefix.ts';
import { Problem, tooLarge, unavailable } from '../errors/problem.ts';
import {
  respondToClientError,
  sendProblem,
  checkHostHeader,
  unknownExpectation,
  trackResponses,
} from './raw-responses.ts';
import type { ServiceSettings } from '../settings.ts';
import { diskFault, isAway, isDiskFault, isOutage, isReadOnly } from '../storage/database-error.ts';
import { noteFacts, requestId } from './request-log.ts';
import { rememberRoutes, unknownRoute } from './unknown-route.ts';
import { parseJson, readText } from '../errors/validation.ts';

/** Time limit for a client to send its request. */
const requestTimeoutMs = 30_000;

/** Interval of the check for late requests. Node's default of 30 s would double the time limit. */
const timeoutCheckIntervalMs = 5_000;

/**
 * Connections without traffic for this long are closed: a response that nobody reads would stay in memory. It may
 * take twice as long, because Node first counts data in network buffers as traffic. Streams stay open: they send
 * heartbeats more often.
 */
const idleTimeoutMs = 60_000;

/** How long an idle connection stays open for the next request. */
const keepAliveTimeoutMs = 72_000;

const nodeOptions = {
  requestTimeout: requestTimeoutMs, // Node's header timeout then is at most as long
  connectionsCheckingInterval: timeoutCheckIntervalMs,
  requireHostHeader: false, // Node would respond without a body; the hook below sends one
};

/**
 * Our own schemas check the bodies. Loading Fastify's two compilers would add a fifth to the startup time.
 */
const schemaController = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>; // the type allows only those two compilers

/**
 * Creates the HTTP server: JSON requests and responses, errors in the `detail` shape, logs without bodies,
 * tokens or queries.
 */
export function createHttpServer(settings: ServiceSettings, jsonPrefix: JsonPrefix): FastifyInstance {
  const options: FastifyHttpOptions<Server> = {
    bodyLimit: settings.bodyLimit,
    trustProxy: trustProxy(settings.trustProxy),
    requestTimeout: requestTimeoutMs,
    http: nodeOptions,
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: true,
    return503OnClosing: true,
    genReqId: ({ headers }) => requestId(headers),
    logController: new LogController({ disableRequestLogging: true }), // see `logRequest`
    schemaController,
    routerOptions: {
      maxParamLength: 512,
      onBadUrl: (_path, request, response) =>
        refuse(
          app,
          { request, response },
          new Problem(404, { loc: ['path'], msg: 'no such route', type: 'not_found' }),
        ),
    },
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const problem = problemOf(error);
      logUnrouted(app, problem, request.method);
      void reply.code(problem.status).headers(problem.headers).send(problem.body);
    },
    clientErrorHandler: (error, socket) => respondToError(app, error, socket),
    logger: {
      level: settings.logLevel,
      redact: ['req.headers', 'err.config', 'err.headers'],
      serializers: {
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.replace(/\?.*$/s, ''),
        }),
        err: errorSerializer(settings.playground || ['debug', 'trace'].includes(settings.logLevel)),
      },
    },
  };

  const app: FastifyInstance = Fastify(options);
  refuseExpectations(app, app.server);
  trackResponses(app.server);
  app.addHook('onRequest', (request, _reply, done) => done(checkHostHeader(request.raw)));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const text = readText(body, request.headers['content-encoding']);
      done(null, text === '' ? undefined : parseJson(jsonPrefix.toInternal(text)));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  app.setReplySerializer((payload) => jsonPrefix.toExternal(JSON.stringify(payload)));

  rememberRoutes(app);
  app.setNotFoundHandler((request) => {
    throw unknownRoute(request);
  });
  const logError = createErrorLog(app.log);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemOf(error);
    // A Problem without a cause, such as during a stop, is intentional and not logged.
    const isIntended = error instanceof Problem && error.cause === undefined;
    if (problem.status >= 500 && !isIntended) logError(error, 'a request failed', { reqId: request.id });
    if (problem.status < 500 || isIntended || isOutage(error))
      noteFacts(request, { reason: reasonOf(problem) });
    const outside = (part: string | number): string | number =>
      typeof part === 'string' ? jsonPrefix.nameToExternal(part) : part;
    const detail = problem.detail.map((one) => ({ ...one, loc: one.loc.map(outside) }));
    // Fastify would close the connection, and a client that is still sending, such as a proxy, would lose the
    // response. If it stays open, Node discards the rest of the body within the request timeout.
    if (problem.status === 413) void reply.removeHeader('connection');
    return reply.code(problem.status).headers(problem.headers).send({ detail });
  });
  return app;
}

/**
 * Creates a server for another address, with the same responses. It does not listen yet, and closes with the
 * first server.
 */
export function createSiblingServer(app: FastifyInstance): Server {
  const server = createServer({ ...nodeOptions, keepAliveTimeout: keepAliveTimeoutMs }, (request, response) =>
    app.routing(request, response),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => respondToError(app, error, socket));
  server.setTimeout(idleTimeoutMs);
  refuseExpectations(app, server);
  trackResponses(server);
  app.server.once('close', () => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

function refuseExpectations(app: FastifyInstance, server: Server): void {
  server.on('checkExpectation', (request, response) =>
    refuse(app, { request, response }, unknownExpectation()),
  );
}

/** Refuses a request that reaches no route. */
function refuse(
  app: FastifyInstance,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  problem: Problem,
): void {
  sendProblem(response, problem);
  logUnrouted(app, problem, request.method);
}

/** Refuses what is not a request that Node can read. */
function respondToError(app: FastifyInstance, error: NodeJS.ErrnoException, socket: Duplex): void {
  const problem = respondToClientError(error, socket, requestTimeoutMs);
  if (problem) logUnrouted(app, problem);
}

/** Logs a refused request that reached no route, and so no hook. @param method unknown if it could not be read */
function logUnrouted(app: FastifyInstance, problem: Problem, method = 'unknown'): void {
  app.log.info({ method, route: 'unknown', reason: reasonOf(problem), status: problem.status }, 'request');
}

/** Returns what the log line of a refused request says: `body.message: is required`. */
function reasonOf({ reason, detail: [first] }: Problem): string {
  return reason ?? (first ? `${first.loc.join('.')}: ${first.msg}` : '');
}

/** Converts an error to a response that reveals only its kind. */
function problemOf(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(['body'], 'the body exceeds the size limit', 'BODY_LIMIT');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(415, {
        loc: ['header', 'content-type'],
        msg: 'must be application/json',
        type: 'media_type',
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem(400, {
        loc: ['header', 'content-length'],
        msg: 'does not match the body',
        type: 'bad_request',
      });
    default:
  }
  const status = error.statusCode ?? 500;
  // Must precede the check below: a client that disconnects in the middle of a body also resets a connection,
  // and that is not a database error.
  if (status >= 400 && status < 500) {
    return new Problem(status, {
      loc: ['request'],
      msg: 'the request could not be read',
      type: 'bad_request',
    });
  }
  if (isDiskFault(error)) return unavailable(diskFault(error), error);
  if (isReadOnly(error)) return unavailable('the database is read-only', error);
  if (isAway(error)) return unavailable('the database is not responding', error);
  return new Problem(500, {
    loc: ['server'],
    msg: 'internal error; it has been logged',
    type: 'server_error',
  });
}

/** Converts a number of hops to the function that Fastify calls for each address on the way. */
function trustProxy(
  setting: boolean | number | string,
): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}
