import { AgentFailure, ServiceFailure, type AgentRun } from '../agent.ts';

/**
 * `status`: an HTTP error. `unreachable`: no response. `timeout`: no response in time. `no_answer`: the response is not
 * an answer. `declined`: the model, or the vendor's filter, will not answer. `cut`: it ended, or was silent too long,
 * before the answer was complete.
 */
export type UpstreamFault = 'status' | 'unreachable' | 'timeout' | 'no_answer' | 'declined' | 'cut';

/** Ends of an answer that never began, by which a vendor declines it. */
const declines: ReadonlySet<string | undefined> = new Set(['refusal', 'content_filter']);
/** A 429 that no retry helps. */
const outOfCredit = 'insufficient_quota';

/** What the operator can do about a status: members of the agent's entry to check. */
export interface Remedies {
  /** After 401 and 403. */
  readonly access: string;
  /** After 404 and 405. */
  readonly address: string;
  /** After 400, 413 and 422. */
  readonly request?: string | undefined;
}

function remedyOf(status: number, { access, address, request }: Remedies): string | undefined {
  if (status >= 300 && status < 400) return 'redirects are not followed: configure the final address';
  if (status === 401 || status === 403) return access;
  if (status === 402) return 'the account has no credit left';
  if (status === 404 || status === 405) return address;
  if (status === 429) return 'it is busy, or limits the requests of this service';
  if (status >= 500) return 'it failed: look at its own log';
  return status === 400 || status === 413 || status === 422 ? request : undefined;
}

/** A request to an upstream failed. The message is for the log: it quotes neither the request nor the answer. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly fault: UpstreamFault;
  /** For the fault `status`. */
  readonly status: number | undefined;
  /** When upstream asks to try again, in seconds. */
  readonly retryAfter: number | undefined;
  /** Upstream's word for it. */
  readonly code: string | undefined;

  constructor(
    fault: UpstreamFault,
    message: string,
    response: {
      readonly status?: number;
      readonly retryAfter?: number | undefined;
      readonly code?: string | undefined;
    } = {},
  ) {
    super(message);
    this.fault = fault;
    this.status = response.status;
    this.retryAfter = response.retryAfter;
    this.code = response.code;
  }

  /** An answer that ended before its first word. @param reason upstream's word for its end */
  static withoutAnswer(reason: string | undefined): UpstreamError {
    const fault = declines.has(reason) ? 'declined' : 'no_answer';
    return new UpstreamError(fault, `upstream ended (${reason ?? 'no reason given'}) without an answer`);
  }

  /** Whether another attempt may succeed, as long as no token has arrived. */
  get isTemporary(): boolean {
    const { fault, status = 0, code } = this;
    const isBusy = (status === 429 && code !== outOfCredit) || status >= 500;
    return fault === 'unreachable' || (fault === 'status' && isBusy);
  }

  /** An HTTP error. @param code upstream's word for it */
  static ofStatus(status: number, headers?: Headers, remedies?: Remedies, code?: string): UpstreamError {
    const remedy = remedies && remedyOf(code === outOfCredit ? 402 : status, remedies);
    const advice = remedy === undefined ? '' : `: ${remedy}`;
    const reason = code === undefined || code === String(status) ? '' : ` (${code})`;
    return new UpstreamError('status', `upstream answered ${status}${reason}${advice}`, {
      status,
      retryAfter: headers && readRetryAfter(headers),
      code,
    });
  }

  /** No response. @param cause what `fetch` threw; only its code, such as `ECONNREFUSED`, gets into the message */
  static unreachable(cause: unknown): UpstreamError {
    const message = 'upstream could not be reached, or the connection broke';
    return new UpstreamError('unreachable', message + codeOf(cause));
  }

  /** The response broke off. @param cause what its body threw */
  static brokeOff(cause: unknown): UpstreamError {
    return new UpstreamError('cut', `the connection to upstream broke during the answer${codeOf(cause)}`);
  }
}

/** Reads `Retry-After`, a number of seconds or a date, or the milliseconds of `retry-after-ms`, in seconds. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const seconds = [
    Number(headers.get('retry-after-ms') ?? NaN) / 1000,
    /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000,
  ];
  return seconds.find((number) => number >= 0 && number < Infinity);
}

function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
}

/**
 * Converts an error to one with a message for the visitor. The log gets the kind of fault; upstream's own message goes
 * to neither. Aborts and failures for the visitor are returned unchanged.
 */
export function toAgentFailure(error: unknown, run: Pick<AgentRun, 'signal'>): unknown {
  if (run.signal.aborted || error instanceof AgentFailure) return error;
  const cause = error instanceof UpstreamError ? error : UpstreamError.brokeOff(error);
  const { code, message } = failureOf(cause);
  return new ServiceFailure(code, message, { cause, retryAfter: cause.retryAfter });
}

/** Why a request failed, in few different words, for traces: the status of an HTTP error, or the fault. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AgentFailure) return error.code;
  if (!(error instanceof UpstreamError)) return 'cut';
  return error.status === undefined ? error.fault : String(error.status);
}

function failureOf({ fault, status = 0, code }: UpstreamError): { code: string; message: string } {
  if (fault === 'declined')
    return {
      code: 'upstream_declined',
      message: 'The assistant cannot answer this. Please ask differently.',
    };
  if (fault === 'no_answer')
    return {
      code: 'upstream_no_answer',
      message:
        'The assistant sent no answer. Please try again. If that does not help, tell the owner of this site.',
    };
  if (fault === 'cut')
    return { code: 'upstream_broke_off', message: 'The answer broke off. Please try again.' };
  if (status === 429 && code !== outOfCredit)
    return {
      code: 'upstream_busy',
      message: 'The assistant is very busy right now. Please try again in a moment.',
    };
  if (fault !== 'status' || status >= 500)
    return {
      code: 'upstream_unavailable',
      message: 'The assistant cannot be reached right now. Please try again in a moment.',
    };
  return {
    code: 'upstream_refused',
    message:
      'The assistant could not process this request. If it happens again, tell the owner of this site.',
  };
}
