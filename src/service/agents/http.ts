import { RunStreamDecoder, StreamFormatError } from '../../client/framing/index.ts';
import type { RunEvent } from '../../protocol/index.ts';
import { startAgentSpan } from '../telemetry/gen-ai.ts';
import {
  markAuthorsWords,
  silentMessage,
  withItems,
  type Agent,
  type AgentEvent,
  type AgentRun,
} from './agent.ts';
import { AnswerCheck } from './upstream/answer-check.ts';
import { tooLargePart } from './upstream/bounded-fetch.ts';
import { abortAfterSilence, type SilenceLimit } from './upstream/silence-limit.ts';
import { sign } from './upstream/signature.ts';
import { errorTypeOf, toAgentFailure, UpstreamError, type Remedies } from './upstream/upstream-error.ts';
import { hashedUser, identityHeaders } from './upstream/upstream-identity.ts';
import { withRetries } from './upstream/with-retries.ts';

/** Connection to a back end. */
export interface HttpSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Signs requests: see `sign`. */
  readonly signingSecret: string | undefined;
  /** How long the back end may be silent, in ms. */
  readonly timeoutMs: number;
  /** Longest event, in bytes. */
  readonly eventLimit: number;
}

/** What the log advises. */
const remedies: Remedies = {
  access: 'check "headers_env" and "signing_secret_env"',
  address: 'check "url", which must accept POST',
  request: 'it did not accept the request: look at its own log',
};

/** Events after which a stream may end. */
const finalEvents: ReadonlySet<string> = new Set([
  'done',
  'run.completed',
  'run.failed',
  'run.expired',
  'run.cancelled',
  'message.interrupt',
  'flow.slot.listen',
  'error',
]);

/**
 * Creates an agent backed by any server that answers a POST of the run with a run stream, in any framing of WIRE
 * section 2. Its events are passed on as they are. A retry after a temporary failure has the same `run_id`.
 */
export function httpAgent(settings: HttpSettings): Agent {
  return {
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      const silence = abortAfterSilence(run.signal, settings.timeoutMs);
      const span = startAgentSpan(run, { provider: 'agent-chat', url: settings.url });
      const traced = { ...run, traceparent: span.traceparent ?? run.traceparent };
      let errorType: string | undefined;
      try {
        const response = await span.within(() =>
          withRetries(silence.signal, () => post(settings, traced, silence.signal)),
        );
        yield* readEvents(response, settings, run, silence);
      } catch (thrown) {
        const error = silence.errorFor(thrown);
        if (!run.signal.aborted) errorType = errorTypeOf(error);
        throw toAgentFailure(error, run);
      } finally {
        silence.stop();
        span.end(errorType);
      }
    },
  };
}

async function post(
  { url, headers, signingSecret }: HttpSettings,
  run: AgentRun,
  signal: AbortSignal,
): Promise<Response> {
  const body = JSON.stringify(toRequest(run));
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream, application/x-ndjson;q=0.9, application/json;q=0.5',
      'content-type': 'application/json',
      'x-user': hashedUser(run),
      ...identityHeaders(run),
      ...headers,
      ...(signingSecret === undefined ? {} : { 'x-agent-signature': sign(body, signingSecret) }),
    },
    body,
    signal,
    redirect: 'manual', // a redirect would take the headers, and the signature, elsewhere
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw UpstreamError.unreachable(error);
  });
  if (response.ok) return response;
  await response.body?.cancel().catch(() => undefined); // the body may quote the request
  throw UpstreamError.ofStatus(response.status, response.headers, remedies);
}

/** The body of the request: the run request of the interface, and what the back end needs besides. */
function toRequest(run: AgentRun): Record<string, unknown> {
  return {
    ...run.otherFields,
    run_id: run.runId,
    thread_id: run.threadId,
    agent_id: run.agentId,
    tenant_id: run.tenantId,
    subject: run.subject,
    message: withItems(run.message),
    history: run.history.map(withItems),
    llm_params: run.llmParams,
    guardrails: run.guardrails,
    context: run.context,
    context_variables: run.contextVariables,
    additional_parameters: run.additionalParameters,
    ...(run.environmentId === undefined ? {} : { environment_id: run.environmentId }),
    ...(run.version === undefined ? {} : { version: run.version }),
    callback_url: run.callbackUrl,
  };
}

async function* readEvents(
  response: Response,
  { eventLimit }: HttpSettings,
  run: AgentRun,
  silence: SilenceLimit,
): AsyncGenerator<AgentEvent> {
  let isTooLarge = false;
  const answer = new AnswerCheck(run, { isExpected: response.status === 200 });
  const decoder = new RunStreamDecoder({
    recordLimit: eventLimit,
    body: response.body,
    isAccepted: response.status > 200,
    onDiagnostic: (diagnostic) => {
      if (diagnostic.code === 'oversized-record') isTooLarge = true;
      else answer.record(diagnostic);
    },
  });
  let last: string | undefined;
  const check = (events: readonly RunEvent[]): readonly RunEvent[] => {
    if (isTooLarge) throw tooLargePart(eventLimit);
    for (const event of events) answer.event(event);
    last = events.findLast(({ event }) => finalEvents.has(event))?.event ?? last;
    return events;
  };
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const bytes of response.body ?? []) yield bytes as Uint8Array; // fetch yields bytes
    } catch (error) {
      if (last === undefined || run.signal.aborted) throw error; // the answer has ended: its connection may break
    }
  };
  try {
    for await (const bytes of read()) {
      silence.heard();
      for (const event of check(decoder.push(bytes))) {
        yield markAuthorsWords(event);
        silence.heard(); // storing it may take a while
      }
      if (decoder.ended || last === 'done') return;
    }
    const rest = check(decoder.end());
    if (response.status > 200 && answer.isSilent) yield silentMessage;
    if (last !== undefined) answer.end(last);
    for (const event of rest) yield markAuthorsWords(event);
  } catch (error) {
    if (!(error instanceof StreamFormatError)) throw error;
    const type = (response.headers.get('content-type') ?? 'no content type').slice(0, 100);
    const advice =
      error.framing === 'html'
        ? 'it begins with HTML, such as a page of another program, or a warning that PHP prints (display_errors)'
        : 'send JSON lines, server-sent events or one object with "message"';
    throw new UpstreamError(
      'no_answer',
      `upstream answered ${response.status} (${type}) without an event: ${advice}`,
    );
  }
  if (last === undefined) {
    const after = answer.lastEvent === undefined ? 'without an event' : `after "${answer.lastEvent}"`;
    throw new UpstreamError('cut', `upstream closed the stream ${after}: the last event must be "done"`);
  }
}
