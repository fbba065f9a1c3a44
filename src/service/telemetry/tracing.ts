import type * as OpenTelemetry from '@opentelemetry/api';
import { missingPackage } from '../errors/server-packages.ts';
import { version } from '../version.ts';
import { noSpan, type Attributes, type Span, type SpanOptions } from './span.ts';

/** Starts the spans of requests. All others are parts of these. */
export interface Tracing {
  /**
   * Starts the span of a request, in the trace that its headers name. A span of the operator's HTTP instrumentation
   * is used instead of another one.
   */
  startRequest(headers: Readonly<Record<string, unknown>>): Span;
}

type Api = typeof OpenTelemetry;

/**
 * Loads OpenTelemetry's API, where it is installed. The operator's SDK decides what happens to the spans; without an
 * SDK there are none.
 * @param options.withContent whether spans hold texts of visitors, models and tools
 */
export async function loadTracing(options: { readonly withContent: boolean }): Promise<Tracing> {
  const api = await loadApi();
  if (!api) return { startRequest: () => noSpan };
  const tracer = api.trace.getTracer('agent-chat', version);
  const { withContent } = options;
  return {
    startRequest(headers) {
      const active = api.context.active();
      const known = api.trace.getSpan(active);
      if (known)
        return new ApiSpan({ api, tracer, withContent }, { span: known, context: active, isOwn: false });
      const parent = api.propagation.extract(active, headers);
      const span = startSpan({ api, tracer, withContent }, parent, 'request', { kind: 'server' });
      return span.traceId === undefined ? noSpan : span;
    },
  };
}

async function loadApi(): Promise<Api | undefined> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    if (missingPackage(error) === '@opentelemetry/api') return undefined;
    throw error;
  }
}

interface Tracer {
  readonly api: Api;
  readonly tracer: OpenTelemetry.Tracer;
  readonly withContent: boolean;
}

function startSpan(
  tracer: Tracer,
  parent: OpenTelemetry.Context,
  name: string,
  { kind, attributes = {} }: SpanOptions = {},
): Span {
  const { SpanKind, trace } = tracer.api;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
  const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes: defined(attributes) };
  const span = tracer.tracer.startSpan(name, options, parent);
  return new ApiSpan(tracer, { span, context: trace.setSpan(parent, span), isOwn: true });
}

class ApiSpan implements Span {
  readonly #tracer: Tracer;
  readonly #span: OpenTelemetry.Span;
  readonly #context: OpenTelemetry.Context;
  /** Otherwise its instrumentation ends it. */
  readonly #isOwn: boolean;

  constructor(
    tracer: Tracer,
    { span, context, isOwn }: { span: OpenTelemetry.Span; context: OpenTelemetry.Context; isOwn: boolean },
  ) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = context;
    this.#isOwn = isOwn;
  }

  get traceparent(): string | undefined {
    const context = this.#span.spanContext();
    if (!this.#tracer.api.isSpanContextValid(context)) return undefined;
    const flags = context.traceFlags.toString(16).padStart(2, '0');
    return `00-${context.traceId}-${context.spanId}-${flags}`;
  }

  get traceId(): string | undefined {
    const context = this.#span.spanContext();
    return this.#tracer.api.isSpanContextValid(context) ? context.traceId : undefined;
  }

  start(name: string, options?: SpanOptions): Span {
    return startSpan(this.#tracer, this.#context, name, options);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(defined(attributes));
  }

  setContent(read: () => Attributes): void {
    if (this.#tracer.withContent && this.#span.isRecording()) this.set(read());
  }

  within<Result>(work: () => Result): Result {
    return this.#tracer.api.context.with(this.#context, work);
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      this.set({ 'error.type': errorType });
      this.#span.setStatus({ code: this.#tracer.api.SpanStatusCode.ERROR });
    }
    if (this.#isOwn) this.#span.end();
  }
}

function defined(attributes: Attributes): OpenTelemetry.Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  );
}
