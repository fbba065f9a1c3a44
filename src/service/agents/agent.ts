import type { Guardrails, LlmParams, Message, StoredMessage } from '../../protocol/index.ts';

/**
 * What an agent yields: an event of the run, or a string, which is short for a `message.delta` of text.
 * The service adds `run_id` and `thread_id`, opens and closes the message and the run where the agent does not, and
 * keeps what was said. A message's id, where the agent gives one, is its name within the run; the service puts an id of
 * its own in its place.
 */
export type AgentEvent =
  string | { readonly event: string; readonly data?: Readonly<Record<string, unknown>> };

/** Everything an agent is handed for one run. */
export interface AgentRun {
  readonly runId: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly tenantId: string;
  /** The visitor's key, or `key:<id>` of a server. */
  readonly subject: string;
  /** What the visitor says now, every key as it was sent. */
  readonly message: StoredMessage;
  /** What was said before on this branch of the thread, oldest first, without `message`. */
  readonly history: readonly StoredMessage[];
  readonly llmParams: LlmParams;
  readonly guardrails: Guardrails;
  readonly context: Readonly<Record<string, unknown>>;
  readonly contextVariables: Readonly<Record<string, unknown>>;
  readonly additionalParameters: Readonly<Record<string, unknown>>;
  readonly environmentId: string | undefined;
  readonly version: number | undefined;
  /** Fires when the run is to end: cancelled, out of time, or the service stops. Nothing yielded later is sent. */
  readonly signal: AbortSignal;
  /** Where a backend posts messages to this thread (endpoint 3): below `PUBLIC_URL`, else below what the service listens on. */
  readonly callbackUrl: string;
  /**
   * Resolves with the next message that came into the thread by callback, on any instance, since the run began: each is
   * told once, and all who wait at a time get the same. Rejects when `signal` fires.
   */
  readonly nextCallback: () => Promise<StoredMessage>;
  /**
   * Posts a message into the thread after so many milliseconds, 24 days at most, as a callback would, also when the run has
   * ended; not when the service was stopped meanwhile.
   */
  readonly postLater: (milliseconds: number, message: Message) => void;
  /** Cuts the connection of everybody who reads this run, without an end; the run goes on. For rehearsing bad networks. */
  readonly dropReaders: () => void;
  /** Tells the operator something, once for each text. Must hold no message text and no secret. */
  readonly report: (text: string) => void;
}

/** Something that answers. One instance serves all runs. */
export interface Agent {
  /** Yields the answer. Whatever it throws ends the run as `run.failed`; see `AgentFailure`. */
  run(run: AgentRun): AsyncIterable<AgentEvent>;
}

/** A failure with words fit for a visitor; any other error is shown as a general one and logged. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';
  /** Stable name of what went wrong, like `upstream_busy`. */
  readonly code: string;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** An agent as the service knows it. */
export interface RegisteredAgent {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Origins whose pages may use it; `undefined`: any. */
  readonly origins: readonly string[] | undefined;
  readonly agent: Agent;
}

/** Waits shorter than this are not cut short: the run has ended for everybody else already. */
const uninterruptedMs = 500;

/** Waits, or rejects with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const settle = (): void => {
      signal.removeEventListener('abort', settle);
      clearTimeout(timer);
      if (signal.aborted)
        reject(signal.reason as Error); // the engine aborts with errors only
      else resolve();
    };
    // Listening costs more than a short wait is worth.
    const timer =
      milliseconds < uninterruptedMs
        ? setTimeout(() => (signal.aborted ? reject(signal.reason as Error) : resolve()), milliseconds)
        : setTimeout(settle, milliseconds);
    if (milliseconds >= uninterruptedMs) signal.addEventListener('abort', settle, { once: true });
  });
}

/** Whether a message holds more characters of text than a limit; a character is a code point, as in a config's strings. */
export function isLongerThan(message: Parameters<typeof plainTextOf>[0], limit: number): boolean {
  const text = plainTextOf(message);
  if (text.length <= limit) return false;
  let count = 0;
  for (const _character of text) count += 1;
  return count > limit;
}

/** The words of a message: its text items, joined by a blank line. */
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
