/** Options of an error. `ErrorOptions` is missing in projects that target ES2020. */
export interface Caused {
  readonly cause?: unknown;
}

/** Base class of the client's errors. `name` is a literal, so that it survives minification. */
export abstract class AgentChatError extends Error {
  abstract override readonly name: string;
}

/** There was no response: the service is down, the URL is wrong, or CORS forbids reading the response. */
export class NetworkError extends AgentChatError {
  override readonly name = 'NetworkError' as const;
  /** URL of the request without its query. */
  readonly url: string;

  constructor(url: string, options?: Caused) {
    super(
      `No response from ${url}. Check the address, the server, and that it allows this origin (CORS).`,
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
        ? `tokenProvider returned no token within ${milliseconds} ms. Check it, or raise connectTimeout.`
        : phase === 'connect'
          ? `The service sent no response for ${milliseconds} ms. Try again, or check that no proxy buffers it.`
          : `The stream sent no bytes for ${milliseconds} ms. Resume it, or check that no proxy buffers it.`,
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
      `The connection broke ${lastEventId === undefined ? 'before the first event id' : `after event ${lastEventId}`}. Resume the run, or send the message again.`,
      options,
    );
    this.lastEventId = lastEventId;
  }
}
