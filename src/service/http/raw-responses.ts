import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '../errors/problem.ts';

/** Sends a problem where no route is involved. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  const text = JSON.stringify(problem.body);
  response.writeHead(problem.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Unfinished responses by connection. */
const answers = new WeakMap<Duplex, Set<ServerResponse>>();

/** Tracks the unfinished responses of a server, for `respondToClientError`. */
export function trackResponses(server: Server): void {
  server.on('request', ({ socket }, response) => {
    const open = answers.get(socket) ?? new Set();
    answers.set(socket, open.add(response));
    response.once('close', () => open.delete(response));
  });
}

/**
 * Responds to Node's `clientError` and closes the connection. If another response is being sent, only closes the
 * connection: this response would end up in the middle of the other. Returns what was sent.
 */
export function respondToClientError(
  error: { code?: string | undefined },
  socket: Duplex,
  requestTimeoutMs: number,
): Problem | undefined {
  const isAnswering = [...(answers.get(socket) ?? [])].some((one) => one.headersSent && !one.writableEnded);
  if (!socket.writable || socket.destroyed || isAnswering) {
    socket.destroy();
    return undefined;
  }
  const problem = problemOf(error.code, requestTimeoutMs);
  const { status, body } = problem;
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
  return problem;
}

function problemOf(code: string | undefined, requestTimeoutMs: number): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, {
        loc: ['request'],
        msg: `was not completed within ${requestTimeoutMs / 1000} seconds`,
        type: 'timeout',
      });
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, {
        loc: ['header'],
        msg: 'the headers exceed the size limit',
        type: 'too_large',
      });
    default:
      return new Problem(400, { loc: ['request'], msg: 'not a valid HTTP request', type: 'bad_request' });
  }
}

/** 417 for an `Expect` header other than `100-continue`. @source RFC 9110, 10.1.1 */
export function unknownExpectation(): Problem {
  return new Problem(417, {
    loc: ['header', 'expect'],
    msg: 'must be 100-continue or absent',
    type: 'expectation',
  });
}

/** 400 for an HTTP/1.1 request without a host, or any request with several. @source RFC 9112, 3.2 */
export function checkHostHeader({ httpVersion, rawHeaders }: IncomingMessage): Problem | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  const loc = ['header', 'host'];
  if (hosts > 1) return new Problem(400, { loc, msg: 'must be given once', type: 'bad_request' });
  return hosts === 0 && httpVersion === '1.1'
    ? new Problem(400, { loc, msg: 'is required', type: 'missing' })
    : undefined;
}
