import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from './problem.ts';

/** Answers where no route has begun, in the `detail` shape all the same. */
export function endWith(response: ServerResponse, problem: Problem): void {
  const text = JSON.stringify(problem.body);
  response.writeHead(problem.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Answers a request that Node gave up reading, and closes its connection. `fault`: Node's `clientError`. */
export function answerUnread(
  fault: { code?: string | undefined },
  socket: Duplex,
  requestTimeout: number,
): void {
  if (!socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const { status, body } = problemOf(fault.code, requestTimeout);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

function problemOf(code: string | undefined, requestTimeout: number): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, {
        loc: ['request'],
        msg: `was not sent whole within ${requestTimeout / 1000} seconds`,
        type: 'timeout',
      });
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, {
        loc: ['header'],
        msg: 'the headers are larger than this service takes',
        type: 'too_large',
      });
    default:
      return new Problem(400, { loc: ['request'], msg: 'not a valid HTTP request', type: 'bad_request' });
  }
}

/** 417 for an `Expect` that is not `100-continue`. @source RFC 9110, 10.1.1 */
export function unknownExpectation(): Problem {
  return new Problem(417, {
    loc: ['header', 'expect'],
    msg: 'must be 100-continue or absent',
    type: 'expectation',
  });
}

/** 400 for a request of HTTP/1.1 without a host. @source RFC 9112, 3.2 */
export function missingHost(): Problem {
  return new Problem(400, { loc: ['header', 'host'], msg: 'is required', type: 'missing' });
}
