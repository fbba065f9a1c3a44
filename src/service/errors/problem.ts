import type { ValidationErrorBody, ValidationProblem } from '../../protocol/index.ts';

/**
 * An error response: separates what the caller reads from what the log keeps. Every non-2xx body is created
 * from one. Never contains a token or message text.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly detail: readonly ValidationProblem[];
  readonly headers: Readonly<Record<string, string>>;
  /** What the log says of the request, in place of the first detail; the caller never gets it. */
  readonly reason: string | undefined;

  constructor(
    status: number,
    detail: readonly ValidationProblem[] | ValidationProblem,
    options: { headers?: Record<string, string>; cause?: unknown; reason?: string | undefined } = {},
  ) {
    const list = Array.isArray(detail)
      ? (detail as readonly ValidationProblem[])
      : [detail as ValidationProblem]; // Array.isArray does not narrow readonly arrays
    super(list.map((one) => one.msg).join('; '), options.cause === undefined ? {} : { cause: options.cause });
    this.status = status;
    this.detail = list;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }

  /** The response body. */
  get body(): ValidationErrorBody {
    return { detail: [...this.detail] };
  }
}

/**
 * 401. The message is the same for every reason, so a caller learns nothing about keys.
 * @param reason for the log: why the token was refused, without any part of it
 * @source interface, "Authentication"
 */
export function unauthorized(
  reason?: string,
  { message = 'a valid bearer token is required', code = 'unauthorized' } = {},
): Problem {
  return new Problem(
    401,
    { loc: ['header', 'authorization'], msg: message, type: code },
    { headers: { 'www-authenticate': 'Bearer realm="agent-chat"' }, reason },
  );
}

/** 403 for a token without a required scope. */
export function forbiddenScope(scopes: readonly string[]): Problem {
  return new Problem(403, {
    loc: ['header', 'authorization'],
    msg: `the token lacks the scope ${scopes.map((scope) => `"${scope}"`).join(' or ')}`,
    type: 'forbidden_scope',
  });
}

/** 403 for an origin that the agent does not allow. @param reason for the log */
export function forbiddenOrigin(reason?: string): Problem {
  return new Problem(
    403,
    { loc: ['header', 'origin'], msg: 'this origin may not use this agent', type: 'forbidden_origin' },
    { reason },
  );
}

/** 404. The same for a missing resource and for somebody else's. @param reason for the log */
export function notFound(
  what: 'agent' | 'thread' | 'run' | 'config' | 'route' | 'decision' | 'page tool call',
  loc: readonly string[],
  reason?: string,
): Problem {
  return new Problem(404, { loc: [...loc], msg: `no such ${what}`, type: 'not_found' }, { reason });
}

/** 409: the identifier is in use for something else. */
export function conflict(loc: readonly string[], message: string): Problem {
  return new Problem(409, { loc: [...loc], msg: message, type: 'conflict' });
}

/** 413. */
export function tooLarge(loc: readonly string[], message: string, setting: string): Problem {
  return new Problem(
    413,
    { loc: [...loc], msg: message, type: 'too_large' },
    { reason: `${setting}: ${message}` },
  );
}

/**
 * 429.
 * @param seconds until the next request is allowed
 * @param setting the limit, for the log: `RATE_LIMIT`
 */
export function tooMany(message: string, seconds: number, setting?: string): Problem {
  return new Problem(
    429,
    { loc: ['header', 'authorization'], msg: message, type: 'rate_limit' },
    {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) },
      reason: setting === undefined ? undefined : `${setting}: ${message}`,
    },
  );
}

/** 422 for one field. */
export function invalid(loc: readonly (string | number)[], message: string, type = 'value_error'): Problem {
  return new Problem(422, { loc: loc.map(String), msg: message, type });
}

/** 503 while the service is stopping or a dependency is unavailable. */
export function unavailable(message: string, cause?: unknown): Problem {
  return new Problem(
    503,
    { loc: ['server'], msg: message, type: 'unavailable' },
    { headers: { 'retry-after': '5' }, cause },
  );
}
