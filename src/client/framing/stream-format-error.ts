import { AgentChatError } from '../errors.ts';

/** The response that an error is about, as far as it is known. */
export interface ResponseEvidence {
  readonly status?: number | undefined;
  /** URL of the request, without query. */
  readonly url?: string | undefined;
  /** The request's id, as the service or a proxy named it. */
  readonly requestId?: string | undefined;
}

/**
 * Why a response is not a run stream. `html`: it is a page. `undecodable`: it contains no event. `no-body`: it has no
 * body.
 */
export type StreamFormatReason = 'html' | 'undecodable' | 'no-body';

const sentences: Readonly<Record<StreamFormatReason, string>> = {
  html:
    'A proxy answered HTML where a run stream was due. Check the base URL, and that the proxy passes ' +
    '/api requests on to the service without a sign-in or error page.',
  undecodable:
    'The response held no run event. Check that the base URL and productPath lead to the service, and ' +
    'that no proxy rewrites its answers.',
  'no-body':
    'The response has no body to read a run stream from. A fetch of your own must give a Response whose ' +
    'body is a stream, as the platform’s does.',
};

/** Something other than a run stream came, such as the HTML page of a proxy. */
export class StreamFormatError extends AgentChatError {
  override readonly name = 'StreamFormatError' as const;
  /** What the bytes look like. */
  readonly framing: 'html' | 'json' | 'sse' | 'text';
  readonly reason: StreamFormatReason;
  /** The first 200 characters, tokens taken out. */
  readonly excerpt: string;
  /** Status code of the response; undefined where bytes were decoded without one. */
  readonly status: number | undefined;
  /** Where the request went, without query. */
  readonly url: string | undefined;
  /** How the service or a proxy named the request, when the page may read it. */
  readonly requestId: string | undefined;

  constructor(
    framing: 'html' | 'json' | 'sse' | 'text',
    reason: StreamFormatReason,
    excerpt: string,
    response: ResponseEvidence = {},
  ) {
    super(sentences[reason] + (excerpt && ` It began: ${excerpt}`));
    this.framing = framing;
    this.reason = reason;
    this.excerpt = excerpt;
    this.status = response.status;
    this.url = response.url;
    this.requestId = response.requestId;
  }
}
