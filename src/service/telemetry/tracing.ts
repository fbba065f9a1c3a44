import type * as OpenTelemetry from '@opentelemetry/api';
import { missingPackage } from '../errors/server-packages.ts';
import { version } from '../version.ts';
import { noSpan, type Attributes, type Span, type SpanOptions } from './span.ts';

/** Starts the spans of requests. All others are parts of these. */
export interface Tracing {
  /**
   * Starts the span of a request, in the trace that its headers name. If the operator's HTTP instrumentation has
   * started one for the request, that one is used.
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
  const telemetry: Telemetry = { api, tracer, withContent: options.withContent };
  return {
    startRequest(headers) {
      const active = api.context.active();
      const known = api.trace.getSpan(active);
      if (known) return new ApiSpan(telemetry, { span: known, context: active, isOwn: false });
      const parent = api.propagation.extract(active, headers);
      const span = startSpan(telemetry, parent, 'request', { kind: 'server' });
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

interface Telemetry {
  readonly api: Api;
  readonly tracer: OpenTelemetry.Tracer;
  readonly withContent: boolean;
}

function startSpan(
  telemetry: Telemetry,
  parent: OpenTelemetry.Context,
  name: string,
  { kind, attributes = {} }: SpanOptions = {},
): Span {
  const { SpanKind, trace } = telemetry.api;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
  const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes: defined(attributes) };
  const span = telemetry.tracer.startSpan(name, options, parent);
  return new ApiSpan(telemetry, { span, context: trace.setSpan(parent, span), isOwn: true });
}

class ApiSpan implements Span {
  readonly #telemetry: Telemetry;
  readonly #span: OpenTelemetry.Span;
  readonly #context: OpenTelemetry.Context;
  /** Whether this object ends the span; otherwise the instrumentation that started it does. */
  readonly #isOwn: boolean;

  constructor(
    telemetry: Telemetry,
    { span, context, isOwn }: { span: OpenTelemetry.Span; context: OpenTelemetry.Context; isOwn: boolean },
  ) {
    this.#telemetry = telemetry;
    this.#span = span;
    this.#context = context;
    this.#isOwn = isOwn;
  }

  get traceparent(): string | undefined {
    const context = this.#span.spanContext();
    if (!this.#telemetry.api.isSpanContextValid(context)) return undefined;
    const flags = context.traceFlags.toString(16).padStart(2, '0');
    return `00-${context.traceId}-${context.spanId}-${flags}`;
  }

  get traceId(): string | undefined {
    const context = this.#span.spanContext();
    return this.#telemetry.api.isSpanContextValid(context) ? context.traceId : undefined;
  }

  start(name: string, options?: SpanOptions): Span {
    return startSpan(this.#telemetry, this.#context, name, options);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(defined(attributes));
  }

  setContent(read: () => Attributes): void {
    if (this.#telemetry.withContent && this.#span.isRecording()) this.set(read());
  }

  within<Result>(work: () => Result): Result {
    return this.#telemetry.api.context.with(this.#context, work);
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      this.set({ 'error.type': errorType });
      this.#span.setStatus({ code: this.#telemetry.api.SpanStatusCode.ERROR });
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
