import { isObject } from '../../protocol/json.ts';
import type { AgentPolicy } from './agent-policy.ts';
import type { ContentItem, Guardrails, LlmParams, Message, StoredMessage } from '../../protocol/index.ts';
import type { RunCalls } from '../tools/tool-call.ts';
import type { AskModel } from '../tools/tool-loop.ts';
import type { Span } from '../telemetry/span.ts';

/**
 * What an agent yields: a run event, or a string as shorthand for a `message.delta` of text. The service adds
 * `run_id` and `thread_id`, starts and completes the message and the run where the agent does not, and stores
 * the answer. A message id from the agent is valid within the run only; the service replaces it with its own.
 */
export type AgentEvent =
  | string
  | { readonly event: string; readonly data?: Readonly<Record<string, unknown>> };

/** The input of an agent for one run. */
export interface AgentRun {
  readonly runId: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly tenantId: string;
  /** The visitor's subject, or `key:<id>` for a server. */
  readonly subject: string;
  /** The visitor's new message, with every key as it was sent. */
  readonly message: StoredMessage;
  /** The earlier messages on this branch of the thread, oldest first, without `message`. */
  readonly history: readonly StoredMessage[];
  readonly llmParams: LlmParams;
  readonly guardrails: Guardrails;
  readonly context: Readonly<Record<string, unknown>>;
  readonly contextVariables: Readonly<Record<string, unknown>>;
  readonly additionalParameters: Readonly<Record<string, unknown>>;
  readonly environmentId: string | undefined;
  readonly version: number | undefined;
  /** Fields of the request that the interface does not name, as they were sent. No guardrail reads them. */
  readonly otherFields: Readonly<Record<string, unknown>>;
  /** The header `traceparent` for requests to upstreams: the trace of the visitor's request. */
  readonly traceparent: string;
  /** The run's span in OpenTelemetry. Start spans for parts of the work here, such as requests to models. */
  readonly span: Span;
  /**
   * Aborts when the run is cancelled, exceeds its time limit, or the service stops. Later events are not
   * sent.
   */
  readonly signal: AbortSignal;
  /**
   * The URL where a backend posts messages to this thread (endpoint 3), below `PUBLIC_URL` or else the
   * service's own address.
   */
  readonly callbackUrl: string;
  /**
   * Resolves with the next message posted to the thread by callback since the run began, on any instance.
   * Each message is delivered once; concurrent calls share it. Rejects when `signal` aborts.
   */
  readonly nextCallback: () => Promise<StoredMessage>;
  /**
   * Posts a message to the thread after a delay (at most 24 days), even if the run has ended by then. Does
   * nothing if the service stops first.
   */
  readonly postLater: (milliseconds: number, message: Message) => void;
  /**
   * Closes the connections of all readers of this run, without an end event; the run continues. Used to test
   * bad networks.
   */
  readonly dropReaders: () => void;
  /** The tool calls of this branch of the thread, stored by the tool loop. */
  readonly calls: RunCalls;
  /** The tool loop over the agent's MCP servers; absent when `tools` is not configured. */
  readonly tools?: AgentTools;
  /** Applies the run's guardrails to data for the model; absent when none is enabled. */
  readonly checkInput?: <Value>(value: Value) => Promise<Value>;
  /** Applies the run's guardrails to data of the model; absent when none is enabled. */
  readonly checkOutput?: <Value>(value: Value) => Promise<Value>;
  /** Counts tokens for limits, metrics and `agent-chat-service usage`. Call it for each request to a model. */
  readonly countTokens: (tokens: { readonly input: number; readonly output: number }) => void;
  /** Logs a note for the operator, once per text. Must not contain message text or secrets. */
  readonly report: (text: string) => void;
  /**
   * Logs what is wrong with an answer, with the ids of the run; the same text at most once a minute, in the playground
   * once in each run. Must not contain message text or secrets.
   */
  readonly warn: (text: string) => void;
}

/** A message as modules and back ends get it: its content is a list, also if a client sent a text alone. */
export interface MessageWithItems extends StoredMessage {
  content: ContentItem[];
}

/** The input of an agent of the kind `module` for one run. */
export interface ModuleRun extends AgentRun {
  readonly message: MessageWithItems;
  readonly history: readonly MessageWithItems[];
}

/** The default export of a module: an `async function*` that yields the answer. */
export type AgentModule = (run: ModuleRun) => AsyncIterable<AgentEvent>;

/** The tool loop, for agents of the kind `module`. */
export interface AgentTools {
  /**
   * Calls `ask` with the tools and the calls so far, executes the calls it returns, and repeats until it returns none.
   * Yields the events of `ask`, and those of the calls. Yield them all: `yield* run.tools.loop(ask)`.
   */
  loop(ask: AskModel<AgentEvent>): AsyncGenerator<AgentEvent>;
}

/** Answers messages. One instance serves all runs. */
export interface Agent {
  /** Whether its runs need the tool calls of earlier turns. */
  readonly usesTools?: boolean;
  /** Closes its connections. Called once, after its last run. */
  close?(): Promise<void>;
  /** Yields the answer. An exception ends the run as `run.failed`; see `AgentFailure`. */
  run(run: AgentRun): AsyncIterable<AgentEvent>;
}

/**
 * A failure in the author's own words, which the visitor reads (at most 500 characters). Other errors are logged, and
 * the visitor reads a general message.
 */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';
  /** Stable code, like `upstream_busy`. */
  readonly code: string;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** A failure in the service's words, in English. Clients say it in the visitor's language instead. */
export class ServiceFailure extends AgentFailure {
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { readonly retryAfter?: number | undefined } = {},
  ) {
    super(code, message, options);
    this.retryAfter = options.retryAfter;
  }
}

/**
 * Marks the words of `run.failed` and `error` as the author's, for the visitor. Other events, and an `error` with an
 * `audience` of its own, are returned unchanged.
 */
export function markAuthorsWords<Event>(event: Event): Event {
  if (!isObject(event) || !isObject(event['data'])) return event;
  if (event['event'] !== 'run.failed' && event['event'] !== 'error') return event;
  const { error, audience = 'visitor' } = event['data']; // some put it beside the error
  return isObject(error) && typeof error['message'] === 'string'
    ? { ...event, data: { ...event['data'], error: { audience, ...error } } }
    : event;
}

/** What an agent sends that is silent on purpose, because the answer comes by callback, or from a person. */
export const silentMessage: AgentEvent = {
  event: 'message.created',
  data: {
    message: {
      role: 'assistant',
      content: [],
      additional_properties: { display_properties: { is_async: true } },
    },
  },
};

/** Whether a stored message is a `silentMessage`: agents do not get it as history. */
export function isSilent({ content, additional_properties }: Message): boolean {
  return (
    Array.isArray(content) &&
    content.length === 0 &&
    additional_properties?.display_properties?.is_async === true
  );
}

/** An agent with its settings. */
export interface RegisteredAgent {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Origins whose pages may use it. `undefined`: any. */
  readonly origins: readonly string[] | undefined;
  readonly agent: Agent;
  /** Absent: no rules. */
  readonly policy?: AgentPolicy;
}

/** Delays shorter than this are not interrupted by an abort. */
const uninterruptedMs = 500;

/** Waits. Rejects with the signal's reason when the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const settle = (): void => {
      signal.removeEventListener('abort', settle);
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason as Error); // the engine aborts with errors only
      else resolve();
    };
    // For a short delay, an abort listener costs more than it could save.
    const timer =
      milliseconds < uninterruptedMs
        ? setTimeout(() => (signal.aborted ? reject(signal.reason as Error) : resolve()), milliseconds)
        : setTimeout(settle, milliseconds);
    if (milliseconds >= uninterruptedMs) signal.addEventListener('abort', settle, { once: true });
  });
}

/** Whether a message has more text than a limit, in characters (code points). */
export function isLongerThan(message: Parameters<typeof plainTextOf>[0], limit: number): boolean {
  const text = plainTextOf(message);
  if (text.length <= limit) return false;
  let count = 0;
  for (const _character of text) count += 1;
  return count > limit;
}

/** Returns the text items of a message, joined by a blank line. */
export function plainTextOf(message: { readonly content?: StoredMessage['content'] }): string {
  const { content } = message;
  if (content == null) return '';
  if (typeof content === 'string') return content;
  return content
    .flatMap((item) => {
      const text = item['text'];
      return typeof text === 'string' && (item.response_type ?? 'text') === 'text' ? [text] : [];
    })
    .join('\n\n');
}

/** Maximum number of mentions, and of documents, in the text of a message. */
const maxReferences = 100;

/**
 * Names the mentions and documents of a message, which have ids, for agents that read text only; `''` without any. The
 * name of a mention is given only if it is part of the text: a guardrail may have removed it there.
 */
export function referencesAsText(message: StoredMessage): string {
  const text = plainTextOf(message);
  const mentions = (message.mentions ?? [])
    .filter(({ id }) => id != null)
    .slice(0, maxReferences)
    .map(({ name, type, id }) => ({ ...(name && text.includes(name) ? { name } : {}), type, id }));
  const documents = (message.document_ids ?? []).slice(0, maxReferences);
  return [
    mentions.length > 0 && `(mentioned: ${JSON.stringify(mentions)})`,
    documents.length > 0 && `(attached documents, by id: ${documents.join(', ')})`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Form submissions as JSON, for agents that read text only; `''` if there are none. */
export function formsAsJson(items: readonly ContentItem[]): string {
  if (items.length === 0) return '';
  return JSON.stringify(items.map(({ form_operation, form_data }) => ({ form_operation, form_data })));
}

/** The message with its content as a list: clients may send a text alone, and an author of agents need not know. */
export function withItems(message: StoredMessage): MessageWithItems {
  const { content } = message;
  if (Array.isArray(content)) return { ...message, content };
  return { ...message, content: content == null ? [] : [{ response_type: 'text', text: content }] };
}
