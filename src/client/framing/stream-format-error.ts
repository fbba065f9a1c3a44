import { AgentChatError } from '../errors.ts';

/** The response that an error is about, as far as it is known. */
export interface ResponseEvidence {
  readonly status?: number | undefined;
  /** URL of the request, without query. */
  readonly url?: string | undefined;
  /** Id of the request, from a response header. */
  readonly requestId?: string | undefined;
}

/**
 * Why a response is not a run stream. `html`: it is a page. `undecodable`: it contains no event. `no-body`: it has no
 * body.
 */
export type StreamFormatReason = 'html' | 'undecodable' | 'no-body';

const sentences: Readonly<Record<StreamFormatReason, string>> = {
  html: 'The response is an HTML page. Check the base URL, and that no proxy answers with a page of its own.',
  undecodable: 'The response contains no run event. Check the base URL and productPath.',
  'no-body': 'The response has no body. A custom fetch must return one.',
};

/** The response is not a run stream, but for example the HTML page of a proxy. */
export class StreamFormatError extends AgentChatError {
  override readonly name = 'StreamFormatError' as const;
  /** What the bytes look like. */
  readonly framing: 'html' | 'json' | 'sse' | 'text';
  readonly reason: StreamFormatReason;
  /** The first 200 characters of the body, without tokens. */
  readonly excerpt: string;
  /** Status code of the response; undefined when bytes were decoded without a response. */
  readonly status: number | undefined;
  /** URL of the request, without query. */
  readonly url: string | undefined;
  /** Id of the request, from a response header of the service or a proxy that the page may read. */
  readonly requestId: string | undefined;

  constructor(
    framing: 'html' | 'json' | 'sse' | 'text',
    reason: StreamFormatReason,
    excerpt: string,
    response: ResponseEvidence = {},
  ) {
    super(sentences[reason] + (excerpt && ` It begins: ${excerpt}`));
    this.framing = framing;
    this.reason = reason;
    this.excerpt = excerpt;
    this.status = response.status;
    this.url = response.url;
    this.requestId = response.requestId;
  }

  /** The same error, of this response. */
  withResponse(response: ResponseEvidence): StreamFormatError {
    return new StreamFormatError(this.framing, this.reason, this.excerpt, response);
  }
}
