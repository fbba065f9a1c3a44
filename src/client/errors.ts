/** Options of an error. `ErrorOptions` is missing in projects that target ES2020. */
export interface Caused {
  readonly cause?: unknown;
}

/** Base class of the client's errors. `name` is a literal, so that it survives minification. */
export abstract class AgentChatError extends Error {
  abstract override readonly name: string;
}

/** No response: the service is down, the address is wrong, or CORS forbids reading the response. */
export class NetworkError extends AgentChatError {
  override readonly name = 'NetworkError' as const;
  /** URL of the request without its query. */
  readonly url: string;

  constructor(url: string, options?: Caused) {
    super(
      `No response from ${url}. Check that the service runs, that the base URL is right, ` +
        'and that the service allows this page’s origin (CORS).',
      options,
    );
    this.url = url;
  }
}

/** The service or the token provider did not respond in time. */
export class TimeoutError extends AgentChatError {
  override readonly name = 'TimeoutError' as const;
  /** What timed out: the token provider, the response headers, or a stream without bytes. */
  readonly phase: 'token' | 'connect' | 'idle';
  /** The timeout in milliseconds. */
  readonly milliseconds: number;

  constructor(phase: TimeoutError['phase'], milliseconds: number) {
    super(
      phase === 'token'
        ? `No token came within ${milliseconds} ms. Check what tokenProvider waits for, or raise connectTimeout.`
        : phase === 'connect'
          ? `The service did not answer within ${milliseconds} ms. Try again, or raise connectTimeout.`
          : `No byte came for ${milliseconds} ms, so the stream counts as lost. Resume it, or check that no proxy ` +
            'on the way holds bytes back (heartbeats must pass).',
    );
    this.phase = phase;
    this.milliseconds = milliseconds;
  }
}

/** The connection broke during a stream. */
export class StreamInterruptedError extends AgentChatError {
  override readonly name = 'StreamInterruptedError' as const;
  /** Id of the last event received; undefined when none had an id. */
  readonly lastEventId: string | undefined;

  constructor(lastEventId: string | undefined, options?: Caused) {
    super(
      lastEventId === undefined
        ? 'The connection broke before an event with an id came. Send the turn again.'
        : `The connection broke after event ${lastEventId}. Resume from it, or send the turn again.`,
      options,
    );
    this.lastEventId = lastEventId;
  }
}
