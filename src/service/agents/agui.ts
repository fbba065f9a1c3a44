import {
  CompatibilityBoundary,
  enforceEvents,
  EventType,
  HttpAgent,
  transformChunks,
  verifyEvents,
  type BaseEvent,
  type HttpAgentFetchFn,
  type RunAgentInput,
  type Tool,
} from '@ag-ui/client';
import { isObject } from '../../protocol/json.ts';
import { startAgentSpan } from '../telemetry/gen-ai.ts';
import { readPageTools } from '../tools/page-tools.ts';
import { AgentFailure, type Agent, type AgentEvent, type AgentRun } from './agent.ts';
import { AguiAnswer } from './agui-answer.ts';
import { readTurns, toRunInput } from './agui-turns.ts';
import type { HttpSettings } from './http.ts';
import { isShown } from './upstream/answer-check.ts';
import { boundedFetch } from './upstream/bounded-fetch.ts';
import { readObservable, type Backlog, type Observed } from './upstream/read-observable.ts';
import { abortAfterSilence, type SilenceLimit } from './upstream/silence-limit.ts';
import { errorTypeOf, toAgentFailure, UpstreamError, type Remedies } from './upstream/upstream-error.ts';
import { identityHeaders } from './upstream/upstream-identity.ts';
import { withRetries } from './upstream/with-retries.ts';

// The library prints what it converts and drops, with parts of the stream.
process.env['SUPPRESS_TRANSFORMATION_WARNINGS'] ??= 'true';

/** What the log advises. */
const remedies: Remedies = {
  access: 'check "headers_env"',
  address: 'check "url", which must accept POST',
  request: 'it did not accept the request: look at its own log',
};

/** Connection to an AG-UI endpoint. */
export type AguiSettings = Omit<HttpSettings, 'signingSecret'>;

const carriageReturn = 0x0d;

/**
 * Creates an agent backed by any AG-UI endpoint: text, reasoning, tool calls, plans; interrupts are forms and
 * decisions, and their answers go back as `resume`. State and messages of the agent are kept with its answers.
 *
 * Of `@ag-ui/client`, the transport and the checks are used. Its `runAgent` copies the whole conversation for each
 * event, and prints states that cannot be patched.
 */
export function aguiAgent(settings: AguiSettings): Agent {
  return {
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      const turns = readTurns(run);
      if (turns.waiting.length > 0) {
        yield { event: 'message.interrupt', data: {} };
        return;
      }
      const pageTools = readPageTools(run.additionalParameters, run.report);
      const tools = pageTools.map(({ name, description, inputSchema }): Tool => ({
        name,
        description,
        parameters: inputSchema,
      }));
      const ownNames = new Map(pageTools.map(({ name, ownName }) => [name, ownName]));
      const answer = new AguiAnswer(turns, ownNames, run.report);
      const input = toRunInput(run, turns, tools);
      const silence = abortAfterSilence(run.signal, settings.timeoutMs);
      const span = startAgentSpan(run, { provider: 'ag-ui', url: settings.url });
      const traced = { ...run, traceparent: span.traceparent ?? run.traceparent };
      let errorType: string | undefined;
      let last: EventType | undefined;
      let isSilent = true;
      const faults: unknown[] = [];
      try {
        for await (const event of readObservable((backlog) =>
          span.within(() => startRun(settings, input, { run: traced, silence, backlog, faults })),
        )) {
          last = event.type;
          for (const own of answer.apply(event)) {
            isSilent &&= typeof own === 'object' && !isShown(own);
            yield own;
            silence.heard(); // storing it may take a while
          }
        }
        if (faults.length > 0 && !answer.isOver) throw faults[0];
        if (last === undefined)
          throw new UpstreamError('no_answer', 'upstream answered without an AG-UI event');
        for (const own of answer.finish()) {
          if (isSilent && typeof own === 'object' && own.event === 'run.completed')
            run.warn('the answer shows nothing: send a text (TEXT_MESSAGE_CONTENT) before RUN_FINISHED');
          yield own;
        }
      } catch (thrown) {
        const error = silence.errorFor(faults[0] ?? ruleFault(thrown, last));
        if (!run.signal.aborted) errorType = errorTypeOf(error);
        throw toAgentFailure(error, run);
      } finally {
        silence.stop();
        span.end(errorType);
      }
    },
  };
}

/**
 * Converts an error of the library about an event. Its sentences quote the stream, so only the names in them that are the
 * protocol's get into the log: kinds of events, and fields.
 * @param last the event before it
 */
function ruleFault(error: unknown, last: EventType | undefined): unknown {
  if (error instanceof UpstreamError || error instanceof AgentFailure || !(error instanceof Error))
    return error;
  const words: string[] = error.message.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];
  const issues: readonly unknown[] = 'issues' in error && Array.isArray(error.issues) ? error.issues : [];
  const fields = issues.map((issue) =>
    isObject(issue) && Array.isArray(issue['path']) ? issue['path'][0] : '',
  );
  const names = [...words.filter((word) => word in EventType), ...fields].filter(Boolean).join(', ');
  const where = last === undefined ? 'with its first event' : `after ${last}`;
  const what = error instanceof SyntaxError ? ': it is not JSON' : names && `: see ${names}`;
  return new UpstreamError(
    last === undefined ? 'no_answer' : 'cut',
    `upstream broke the rules of AG-UI ${where}${what}`,
  );
}

interface RequestParts {
  readonly run: AgentRun;
  readonly silence: SilenceLimit;
  readonly backlog: Backlog;
  /** Receives the error that broke off the body of the response. */
  readonly faults: unknown[];
}

/** Runs the agent. Its events are checked against the schemas and the order of AG-UI; older shapes are converted. */
function startRun(
  { url, headers, eventLimit }: AguiSettings,
  input: RunAgentInput,
  parts: RequestParts,
): Observed<BaseEvent> {
  const { run, silence } = parts;
  const bounded = boundedFetch(eventLimit);
  const fetchOnce: HttpAgentFetchFn = async (target, init) => {
    const options = { ...init, signal: silence.signal, redirect: 'manual' } as const;
    const response = await bounded(target, options).catch((error: unknown) => {
      if (silence.signal.aborted) throw error;
      throw UpstreamError.unreachable(error);
    });
    if (response.ok && response.body) return withBackpressure(response, parts);
    await response.body?.cancel().catch(() => undefined); // the body may quote the request
    if (response.ok) throw new UpstreamError('no_answer', 'upstream answered without a body');
    throw UpstreamError.ofStatus(response.status, response.headers, remedies);
  };
  const agent = new HttpAgent({
    url,
    headers: { ...identityHeaders(run), ...headers },
    fetch: (target, init) => withRetries(silence.signal, () => fetchOnce(target, init)),
  });
  const source = new CompatibilityBoundary().run(input, agent);
  return source.pipe(enforceEvents(), transformChunks(), verifyEvents());
}

/**
 * Makes a response wait for its reader, and drops carriage returns: the library knows LF only. Where the body breaks off,
 * it ends, and the error goes to `faults`: the library would leave its rejection unhandled.
 */
function withBackpressure(response: Response, { silence, backlog, faults }: RequestParts): Response {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        silence.heard();
        await backlog.drained();
        controller.enqueue(value.filter((byte) => byte !== carriageReturn));
      } catch (error) {
        faults.push(error);
        controller.close();
      }
    },
    cancel: () => reader.cancel().catch(() => undefined),
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
