import { createServer, type Server } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
} from 'fastify';
import type { IdentifierPrefix } from './identifier-prefix.ts';
import { notFound, Problem, tooLarge, unavailable } from '../errors/problem.ts';
import {
  respondToClientError,
  sendProblem,
  checkHostHeader,
  unknownExpectation,
  trackResponses,
} from './raw-responses.ts';
import type { ServiceSettings } from '../settings.ts';
import { isAway } from '../storage/database-fault.ts';
import { parseJson, readText } from '../errors/validation.ts';

/** Milliseconds a client may take to send its request. */
const requestTimeoutMs = 30_000;

/** Milliseconds between two looks for requests that are late; Node's own half minute would double their time. */
const timeoutCheckIntervalMs = 5_000;

/**
 * Milliseconds in which nothing moves on a connection, in either direction, after which it is cut: an answer that nobody
 * takes would stay in memory for good. Node takes what the network's buffers held at first for movement, so it may take
 * twice as long. Streams send a sign of life sooner.
 */
const idleTimeoutMs = 60_000;

/** Milliseconds a connection is kept for the next request. */
const keepAliveTimeoutMs = 72_000;

const nodeOptions = {
  requestTimeout: requestTimeoutMs, // bounds Node's timeout of headers too: a longer one would count for the whole request
  connectionsCheckingInterval: timeoutCheckIntervalMs,
  requireHostHeader: false, // Node answers a missing one without a body, the hook below with one
};

/** Bodies are checked by our own schemas: to load Fastify's two compilers would be a fifth of the time to start. */
const schemaController = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>; // typed for those two compilers only

/**
 * Makes the HTTP server: JSON in, JSON out, every fault in the `detail` shape, logs without bodies, tokens or queries.
 */
export function createHttpServer(settings: ServiceSettings, names: IdentifierPrefix): FastifyInstance {
  const options: FastifyHttpOptions<Server> = {
    bodyLimit: settings.bodyLimit,
    trustProxy: trustProxy(settings.trustProxy),
    requestTimeout: requestTimeoutMs,
    http: nodeOptions,
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: true,
    return503OnClosing: true,
    genReqId: () => crypto.randomUUID(),
    schemaController,
    routerOptions: {
      maxParamLength: 512,
      onBadUrl: (_path, _request, response) =>
        sendProblem(response, new Problem(404, { loc: ['path'], msg: 'no such route', type: 'not_found' })),
    },
    frameworkErrors: (error, _request, given) => {
      const reply: FastifyReply = given;
      const problem = problemOf(error);
      void reply.code(problem.status).headers(problem.headers).send(problem.body);
    },
    clientErrorHandler: (error, socket) => respondToClientError(error, socket, requestTimeoutMs),
    logger: {
      level: settings.logLevel,
      redact: ['req.headers', 'err.config', 'err.headers'],
      serializers: {
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.replace(/\?.*$/s, ''),
        }),
        err: (error: Error & { code?: string }) => ({
          type: error.name,
          message: error.message,
          ...(error.code === undefined ? {} : { code: error.code }),
          ...(error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {}),
          stack: error.stack ?? '',
        }),
      },
    },
  };

  const app = Fastify(options);
  refuseExpectations(app.server);
  trackResponses(app.server);
  app.addHook('onRequest', (request, _reply, done) => done(checkHostHeader(request.raw)));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const text = readText(body, request.headers['content-encoding']);
      done(null, text === '' ? undefined : parseJson(names.toInternal(text)));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  app.setReplySerializer((payload) => names.toExternal(JSON.stringify(payload)));

  app.setNotFoundHandler((_request, reply) => {
    const problem = notFound('route', ['path']);
    return reply.code(problem.status).send(problem.body);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemOf(error);
    // A refusal of our own without a cause, as while the service stops, is no fault to look into.
    const isMeant = error instanceof Problem && error.cause === undefined;
    if (problem.status >= 500 && !isMeant) request.log.error({ err: error }, 'a request failed');
    const outside = (part: string | number): string | number =>
      typeof part === 'string' ? names.nameToExternal(part) : part;
    const detail = problem.detail.map((one) => ({ ...one, loc: one.loc.map(outside) }));
    // Fastify would close: who is still sending, a proxy above all, then loses the answer with the connection. Kept open, Node
    // passes over the rest of the body, for as long as a request may take.
    if (problem.status === 413) void reply.removeHeader('connection');
    return reply.code(problem.status).headers(problem.headers).send({ detail });
  });
  return app;
}

/** A server for one more address, with the same answers. It does not listen yet, and closes with the first one. */
export function createSiblingServer(app: FastifyInstance): Server {
  const server = createServer({ ...nodeOptions, keepAliveTimeout: keepAliveTimeoutMs }, (request, response) =>
    app.routing(request, response),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    respondToClientError(error, socket, requestTimeoutMs),
  );
  server.setTimeout(idleTimeoutMs);
  refuseExpectations(server);
  trackResponses(server);
  app.server.once('close', () => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request, response) => sendProblem(response, unknownExpectation()));
}

/** What a caller reads of a fault: never more than its kind. */
function problemOf(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(['body'], 'the body is larger than this service takes');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(415, {
        loc: ['header', 'content-type'],
        msg: 'must be application/json',
        type: 'media_type',
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem(400, {
        loc: ['header', 'content-length'],
        msg: 'does not fit the body',
        type: 'bad_request',
      });
    default:
  }
  const status = error.statusCode ?? 500;
  // Before the next: a caller who leaves in the middle of a body resets a connection too, and no database has failed.
  if (status >= 400 && status < 500) {
    return new Problem(status, { loc: ['request'], msg: 'the request cannot be read', type: 'bad_request' });
  }
  if (isAway(error)) return unavailable('the database does not answer', error);
  return new Problem(500, {
    loc: ['server'],
    msg: 'something went wrong here; it has been noted',
    type: 'server_error',
  });
}

/** A number of hops, as the function Fastify asks of every address on the way. */
function trustProxy(
  setting: boolean | number | string,
): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}
