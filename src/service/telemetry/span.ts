/** Attributes of a span. `undefined` values are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanOptions {
  /** `server`: answers a request. `client`: waits for another program. Default: work in this process. */
  readonly kind?: 'server' | 'client';
  readonly attributes?: Attributes;
}

/** One piece of work in a trace. Where OpenTelemetry is not installed, nothing: see `noSpan`. */
export interface Span {
  /** The header of W3C Trace Context for requests that the work makes. `undefined`: the work is not traced. */
  readonly traceparent: string | undefined;
  /** The id of the trace, for logs. `undefined`: the work is not traced. */
  readonly traceId: string | undefined;
  /** Starts a part of the work. End it. */
  start(name: string, options?: SpanOptions): Span;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Sets attributes with texts of visitors, models or tools, if the operator wants them: `TRACE_CONTENT`. */
  setContent(read: () => Attributes): void;
  /** Does some of the work such that spans of other libraries become parts of this one. */
  within<Result>(work: () => Result): Result;
  /** @param errorType why the work failed, in few different words: `timeout`, `429` */
  end(errorType?: string): void;
}

/** Stands for spans where nothing is traced. */
export const noSpan: Span = {
  traceparent: undefined,
  traceId: undefined,
  start: () => noSpan,
  rename: () => undefined,
  set: () => undefined,
  setContent: () => undefined,
  within: (work) => work(),
  end: () => undefined,
};
