import type { ValidationProblem } from '../protocol/index.ts';
import { AgentChatError, type Caused } from './errors.ts';

/** What an `HttpError` is made of. */
export interface HttpEvidence {
  readonly status: number;
  /** The body as text, at most 64 Ki characters, tokens taken out. */
  readonly body: string;
  /** What the service itself said, in one sentence; `''` when it said nothing readable. */
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
  /** The body as text, at most 64 Ki characters, tokens taken out. */
  readonly body: string;
  /** What the service itself said, in one sentence; `''` when it said nothing readable. */
  readonly reason: string;
  /** The faults of a rejected request (`detail[]`), when the body has that shape, whatever the status. */
  readonly problem: readonly ValidationProblem[] | undefined;
  /** Seconds until another try is welcome (`Retry-After`), when the service said so. */
  readonly retryAfter: number | undefined;
  /** Where the request went, without query; undefined when none was sent, for want of a token. */
  readonly url: string | undefined;
  /** How the service or a proxy named the request (`X-Request-ID` or the like), when the page may read it. */
  readonly requestId: string | undefined;

  constructor(evidence: HttpEvidence, options?: Caused) {
    const { status, reason, retryAfter } = evidence;
    const said = reason === '' ? '' : ` (${reason})`;
    super(`The service answered ${status}${said}. ${remedyFor(status, retryAfter)}`, options);
    this.status = status;
    this.body = evidence.body;
    this.reason = reason;
    this.problem = evidence.problem;
    this.retryAfter = retryAfter;
    this.url = evidence.url;
    this.requestId = evidence.requestId;
  }
}

/** The endpoint that gives tokens is broken: it answered neither with a token nor that nobody is signed in. */
export class TokenEndpointError extends AgentChatError {
  override readonly name = 'TokenEndpointError' as const;
  /** Where the token was asked for, without query. */
  readonly url: string;
  /** Status code of the answer. */
  readonly status: number;
  /** How the endpoint or a proxy named the request, when the page may read it. */
  readonly requestId: string | undefined;

  constructor(
    answer: { readonly url: string; readonly status: number; readonly requestId?: string | undefined },
    options?: Caused,
  ) {
    super(`${answer.url} answered ${answer.status}: it must answer 200 with {"token": "…"}.`, options);
    this.url = answer.url;
    this.status = answer.status;
    this.requestId = answer.requestId;
  }
}

function remedyFor(status: number, retryAfter: number | undefined): string {
  switch (status) {
    case 401:
      return 'Give a valid token from tokenProvider: sign in again.';
    case 403:
      return 'The token lacks the scope, or this origin is not allowed for the agent.';
    case 404:
      return 'Check the agent and thread ids, the base URL and productPath; a thread of another subject is 404 too.';
    case 409:
      return 'The id is taken by other content: use a new one.';
    case 413:
      return 'Send less at once.';
    case 415:
      return 'A proxy on the way changed the content type: it must stay application/json.';
    case 429:
      return retryAfter === undefined ? 'Try again later.' : `Try again in ${retryAfter} s.`;
    default:
      return status >= 500
        ? 'The fault is at the service: try again, then look at its log.'
        : 'Correct the request as the reason says.';
  }
}

/** One fault of a response's shape; zod's issues fit it. */
export interface ShapeIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A response did not have the shape that the interface promises. */
export class ResponseShapeError extends AgentChatError {
  override readonly name = 'ResponseShapeError' as const;
  readonly issues: readonly ShapeIssue[];

  constructor(what: string, issues: readonly ShapeIssue[], options?: Caused) {
    const faults = issues.map(({ path, message }) => `${path.map(String).join('.') || 'body'} ${message}`);
    super(
      `The answer is no ${what}: ${faults.join('; ')}. Check that the base URL leads to the service and that both are of one version.`,
      options,
    );
    this.issues = issues;
  }
}
