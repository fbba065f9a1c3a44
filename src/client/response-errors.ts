import type { ValidationProblem } from '../protocol/index.ts';
import { AgentChatError, type Caused } from './errors.ts';

/** The facts in an `HttpError`. */
export interface HttpEvidence {
  readonly status: number;
  /** The body as text, at most 64 Ki characters, without tokens. */
  readonly body: string;
  /** The reason that the body gives, in one sentence; `''` when it gives none. */
  readonly reason: string;
  readonly problem?: readonly ValidationProblem[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly url?: string | undefined;
  readonly requestId?: string | undefined;
}

/** The service answered with an error status. */
export class HttpError extends AgentChatError {
  override readonly name = 'HttpError' as const;
  /** Status code of the response. */
  readonly status: number;
  /** The body as text, at most 64 Ki characters, without tokens. */
  readonly body: string;
  /** The reason that the body gives, in one sentence; `''` when it gives none. */
  readonly reason: string;
  /** The errors of a rejected request (`detail[]`), when the body contains such a list. */
  readonly problem: readonly ValidationProblem[] | undefined;
  /** Seconds to wait before the next attempt (`Retry-After`); undefined when the service names none. */
  readonly retryAfter: number | undefined;
  /** URL of the request, without query; undefined when no request was sent because there is no token. */
  readonly url: string | undefined;
  /** Id of the request, from a response header such as `X-Request-ID` that the page may read. */
  readonly requestId: string | undefined;

  constructor(evidence: HttpEvidence, options?: Caused) {
    const { status, reason, retryAfter } = evidence;
    const reasonText = reason === '' ? '' : ` (${reason})`;
    super(`The service answered ${status}${reasonText}. ${remedyFor(status, retryAfter)}`, options);
    this.status = status;
    this.body = evidence.body;
    this.reason = reason;
    this.problem = evidence.problem;
    this.retryAfter = retryAfter;
    this.url = evidence.url;
    this.requestId = evidence.requestId;
  }
}

/** The token endpoint is broken: it returned neither a token nor a status that says the visitor is signed out. */
export class TokenEndpointError extends AgentChatError {
  override readonly name = 'TokenEndpointError' as const;
  /** URL of the token endpoint, without query. */
  readonly url: string;
  /** Status code of the response. */
  readonly status: number;
  /** Id of the request, from a response header that the page may read. */
  readonly requestId: string | undefined;

  constructor(
    answer: { readonly url: string; readonly status: number; readonly requestId?: string | undefined },
    options?: Caused,
  ) {
    super(`${answer.url} answered ${answer.status}, not 200 with {"token": "…"}.`, options);
    this.url = answer.url;
    this.status = answer.status;
    this.requestId = answer.requestId;
  }
}

function remedyFor(status: number, retryAfter: number | undefined): string {
  switch (status) {
    case 401:
      return 'Sign in again: tokenProvider must return a valid token.';
    case 403:
      return 'The token lacks the scope, or this origin is not allowed for the agent.';
    case 404:
      return 'Check the agent id, the thread id, the base URL and productPath. Threads of other users are not found either.';
    case 409:
      return 'The id has other content, or was answered before. Use a new id, or read the thread.';
    case 413:
      return 'Send a smaller request.';
    case 415:
      return 'A proxy changed the content type. It must be application/json.';
    case 429:
      return retryAfter === undefined ? 'Try again later.' : `Try again in ${retryAfter} s.`;
    default:
      return status >= 500 ? 'The service failed. Try again, then check its log.' : 'Correct the request.';
  }
}

/** One error in the shape of a response. Zod's issues are assignable to it. */
export interface ShapeIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A response does not have the shape that the interface defines. */
export class ResponseShapeError extends AgentChatError {
  override readonly name = 'ResponseShapeError' as const;
  readonly issues: readonly ShapeIssue[];

  constructor(what: string, issues: readonly ShapeIssue[], options?: Caused) {
    const faults = issues.map(({ path, message }) => `${path.map(String).join('.') || 'body'} ${message}`);
    super(
      `The response is not a valid ${what}: ${faults.join('; ')}. Check the base URL and the version of the service.`,
      options,
    );
    this.issues = issues;
  }
}
