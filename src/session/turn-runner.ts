import type { AgentClient, StreamOptions } from '../client/agent-client.ts';
import {
  acceptRun,
  beginRun,
  breakOff,
  completeCallback,
  endStream,
  failSubmission,
  findMessage,
  findRun,
  hasEnded,
  interruption,
  markStop,
  reduceRunEvent,
  restartRun,
  resumeRun,
  stopRun,
} from '../conversation/index.ts';
import type { Conversation, ConversationMessage, Run, RunFailure } from '../conversation/index.ts';
import type { RunEvent } from '../protocol/index.ts';
import type { StoppedRun } from './cancel-run.ts';
import { failureOf, isFinal } from './run-failure.ts';
import { readRun, type StreamListener } from './read-run.ts';
import { buildMessage, buildRunRequest } from './run-request.ts';
import type { ConnectionState } from './session-settings.ts';
import type { SessionContext } from './session-context.ts';
import { askedDelay, attemptLimit, backoffDelay, maxRetryAfterMs, Backoff } from './backoff.ts';

/** How long `stop()` waits for the cancel request, in milliseconds. */
const stopTimeoutMs = 6_000;

/** How a turn starts. */
export interface StartOptions {
  /** `post`: the first time. `repost`: again. `resume`: resumes a broken stream. */
  readonly by: 'post' | 'repost' | 'resume';
  /** `post`: prepares the message when the run begins. */
  readonly prepare?: (conversation: Conversation) => Conversation;
  /** `repost`: a new `client_message_id`, for a run that the service has ended. */
  readonly newClientMessageId?: string | undefined;
  /** `resume`: without a run id, ask the service for the run by the message's `client_message_id`. */
  readonly byMessage?: boolean;
  /** `resume`: post again if the service cannot replay the run. Only on the visitor's request. */
  readonly orRepost?: boolean;
  /** Whether the queue continues after the turn even if it fails. */
  readonly continueAfterFailure?: boolean;
}

/** A stream that is not complete, or a message that the callback did not take. */
interface BrokenStream {
  /** What was thrown; undefined when the stream ended early without an error. */
  readonly error: unknown;
}

/**
 * Runs one turn: posts the message once, reads the answer, and resumes a broken stream where the service can replay it.
 * Errors become state of the run.
 */
export class TurnRunner {
  readonly runKey: string;
  /** Resolves when the turn has ended or waits for the visitor; late events may still be read. */
  readonly over: Promise<void>;
  readonly #context: SessionContext;
  readonly #route: Run['route'];
  readonly #abort = new AbortController();
  readonly #backoff: Backoff;
  #connection: ConnectionState = 'connecting';
  #resolveOver: () => void = () => undefined;
  /** Whether the turn has ended or waits for the visitor. */
  isOver = false;
  #isReading = true;
  /** Whether the visitor stopped the run: what arrives later is ignored. */
  #isStopped = false;
  /** Whether the service answered that it cannot replay the run. */
  isLost = false;
  /** Whether the service, which can replay runs, answered that it has no such run. */
  #isUnknown = false;
  /** Whether the last request got a stream. */
  #wasOpened = false;
  /** The client of the last request: the visitor whose run it is. */
  #client: AgentClient | undefined;
  #resolveRunId: (runId: string) => void = () => undefined;

  constructor(context: SessionContext, runKey: string, route: Run['route'] = 'run') {
    this.#route = route;
    this.#context = context;
    this.runKey = runKey;
    this.#backoff = new Backoff(context.clock, this.#abort.signal);
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
  }

  get connection(): ConnectionState {
    return this.#connection;
  }

  /** Whether there is a run to stop. */
  get canStop(): boolean {
    const run = this.#run;
    return this.#isReading && !this.#isStopped && run !== undefined && !hasEnded(run);
  }

  /** Runs the turn to the end of its stream. Never rejects. */
  async start(how: StartOptions): Promise<void> {
    try {
      if (how.by === 'resume') {
        this.#connection = 'resuming';
        this.#change((conversation) => resumeRun(conversation, this.runKey));
        const canReplay = await this.#resumeStream(interruption(''), how.byMessage);
        // a service that runs no turn twice and does not know the message never got it
        const mayPost =
          how.orRepost || this.#isUnknown || (how.byMessage && this.#context.settings().resumable);
        if (!canReplay && mayPost && !this.#isDone) await this.#post({ by: 'repost' });
      } else await this.#post(how);
    } catch (error) {
      this.#breakOff(failureOf(error));
    }
    this.#isReading = false;
    this.#finish();
  }

  /** Ends a delay for the network or before the next attempt. */
  wake(): void {
    this.#backoff.wake();
  }

  /** Stops reading at once. The run continues at the service. */
  abort(): void {
    this.#abort.abort();
    this.#isReading = false;
    this.#finish();
  }

  /**
   * Stops the run: changes the state at once, then cancels at the service where possible. Resolves after the cancel
   * request, or after 6 s. Never rejects.
   */
  async stop(): Promise<void> {
    const run = this.#run;
    this.#isStopped = true;
    this.#backoff.wake();
    this.#change((conversation) => stopRun(conversation, this.runKey, this.#context.clock.now()));
    this.#finish();
    if (run?.route !== 'run') return this.abort();
    // not the current client: a change of visitor stops the run of the former one
    const { cancelRun: cancel } = (this.#client ?? this.#context.client()).extensions;
    const knownId = run.runId ?? findMessage(this.#context.store.conversation, this.runKey)?.clientMessageId;
    const runIdFromStream =
      run.runId === undefined
        ? new Promise<string>((resolve) => {
            this.#resolveRunId = resolve;
          })
        : undefined;
    if (!runIdFromStream) this.abort();
    const stopped = { runKey: this.runKey, knownId, runIdFromStream, cancel };
    const cancelled = cancelStoppedRun(this.#context, stopped);
    // the request may wait for a token, as the turn did
    await new Promise<void>((resolve) => {
      const cancelTimer = this.#context.clock.after(stopTimeoutMs, resolve);
      void cancelled.then(() => {
        this.abort();
        cancelTimer();
        resolve();
      });
    });
  }

  async #post(how: StartOptions): Promise<void> {
    this.isLost = false;
    const at = this.#context.clock.now();
    this.#change((conversation) =>
      how.prepare
        ? beginRun(how.prepare(conversation), this.runKey, { at, route: this.#route })
        : restartRun(conversation, this.runKey, { at, newClientMessageId: how.newClientMessageId }),
    );
    for (let attempt = 0; ; attempt += 1) {
      const prompt = findMessage(this.#context.store.conversation, this.runKey);
      if (!prompt || this.#isDone) return;
      this.#connect('connecting');
      const broken = await (this.#run?.route === 'callback'
        ? this.#postCallback(prompt)
        : this.#postRun(prompt));
      if (!broken) return;
      if (this.#run?.status !== 'submitted' || this.#run.runId !== undefined) {
        await this.#resumeStream(interruption(failureIn(broken)?.reason ?? ''));
        return;
      }
      if (!(await this.#mayPostAgain(broken, attempt))) return this.#refuse(broken);
    }
  }

  /**
   * Whether to post a turn without any event again: only if it cannot have arrived (no network), or if the `resumable`
   * setting says that the service runs no turn twice.
   */
  async #mayPostAgain({ error }: BrokenStream, attempt: number): Promise<boolean> {
    const { online, settings, clock } = this.#context;
    const failure = failureOf(error);
    const { kind, retryAfter = 0 } = failure;
    if (kind === 'network' && !this.#wasOpened && !online()) {
      await this.#untilOnline();
      return !this.#isDone;
    }
    const isPassing = /^(network|interrupted|timeout|server)$/.test(kind);
    if (settings().resumable !== true || !isPassing || !this.#mayGoOn(attempt + 1)) return false;
    if (retryAfter * 1000 > maxRetryAfterMs) return false;
    this.#connect('resuming');
    await this.#backoff.pause(Math.max(askedDelay(failure), backoffDelay(attempt + 1, clock.random())));
    await this.#untilOnline();
    return !this.#isDone;
  }

  /**
   * Resumes the run after its last event. Resolves with false when the service cannot replay it.
   * @param byMessage whether to identify the run by its message while its id is unknown
   */
  async #resumeStream(cause: RunFailure, byMessage = false): Promise<boolean> {
    const { clock, client, settings, store } = this.#context;
    const { clientMessageId } = (byMessage && findMessage(store.conversation, this.runKey)) || {};
    let failure = cause;
    let asked = 0;
    for (let attempt = 0; this.#mayGoOn(attempt); attempt += 1) {
      const runId = this.#run?.runId ?? clientMessageId;
      if (this.#isDone) return true;
      if (runId === undefined || settings().resumable === false) {
        this.#breakOff(failure);
        return false;
      }
      this.#connect('resuming');
      await this.#backoff.pause(Math.max(asked, backoffDelay(attempt, clock.random())));
      await this.#untilOnline();
      if (this.#isDone) return true;
      this.#connect('resuming');
      const lastEventId = this.#run?.lastEventId;
      const broken = await this.#read((options) =>
        client().extensions.runEvents(runId, { ...options, lastEventId }),
      );
      if (!broken) return true;
      const refusal = failureOf(broken.error);
      asked = askedDelay(refusal);
      const lacksToken = refusal.kind === 'auth';
      if (lacksToken) failure = refusal;
      if (isFinal(broken.error)) {
        this.#breakOff(failure);
        this.isLost = !lacksToken && this.#run?.runId !== undefined;
        if (byMessage) this.#isUnknown = (await import('./lost-thread.ts')).isMissing(broken.error, 'run_id');
        return lacksToken;
      }
      if (this.#run?.lastEventId !== lastEventId) attempt = 0;
    }
    this.#breakOff(failure);
    return true;
  }

  /** Whether to make another attempt: as long as messages wait for this turn, it is not given up. */
  #mayGoOn(attempt: number): boolean {
    const { messages } = this.#context.store.conversation;
    return attempt < attemptLimit || messages.some(({ status }) => status === 'queued');
  }

  /** Reads one stream. Resolves with undefined when the turn is complete, otherwise with the reason why it is not. */
  async #read(open: (options: StreamOptions) => AsyncIterable<RunEvent>): Promise<BrokenStream | undefined> {
    this.#wasOpened = false;
    this.#client = this.#context.client();
    let thrown: unknown;
    try {
      await readRun(this.#context, this.runKey, { open, abort: this.#abort, listener: this.#listener });
    } catch (error) {
      thrown = error;
    }
    const run = this.#run;
    if (this.#isDone || !run) return undefined;
    const hasAsked = thrown === undefined && (run.needsReply || run.status === 'waiting');
    if (run.status !== 'interrupted' && (run.failure || hasAsked) && run.status !== 'submitted') {
      this.#change((conversation) => endStream(conversation, this.runKey, this.#context.clock.now()));
      return undefined;
    }
    return { error: thrown };
  }

  readonly #listener: StreamListener = {
    opened: (runId) => {
      this.#wasOpened = true;
      if (runId !== undefined) {
        this.#resolveRunId(runId);
        if (!this.#isStopped) this.#change((conversation) => acceptRun(conversation, this.runKey, runId));
      }
      this.#connect('streaming');
      if (this.#run?.needsReply) this.#finish();
    },
    received: (event) => {
      const runId = event.data['run_id'];
      if (typeof runId === 'string') this.#resolveRunId(runId);
      if (this.#isStopped) return;
      const scope = { runKey: this.runKey, at: this.#context.clock.now() };
      this.#change((conversation) => resumeRun(reduceRunEvent(conversation, event, scope), this.runKey));
      this.#connect('streaming');
      this.#report(event);
      if (this.#run?.needsReply === true || this.#run?.done === true) this.#finish();
    },
    stalled: () => this.#connect('stalled'),
  };

  /** Passes an applied event to the page. An error of the page does not end the turn. */
  #report(event: RunEvent): void {
    try {
      this.#context.onRunEvent?.(event, this.runKey);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#context.diagnose({ code: 'host-callback-failed', message: `onRunEvent threw: ${reason}` });
    }
  }

  #postRun(prompt: ConversationMessage): Promise<BrokenStream | undefined> {
    const { store, client, settings } = this.#context;
    const request = buildRunRequest(store.conversation, prompt, settings());
    return this.#read((options) => client().runStream(request, options));
  }

  /** Posts the message to the thread's callback. Resolves with undefined when the turn is complete. */
  async #postCallback(prompt: ConversationMessage): Promise<BrokenStream | undefined> {
    const { store, clock, client, settings } = this.#context;
    const { threadId } = store.conversation;
    if (threadId === undefined) return undefined;
    try {
      const { signal } = this.#abort;
      const stored = await client().postCallback(threadId, buildMessage(prompt, settings()), { signal });
      this.#change((conversation) =>
        completeCallback(conversation, this.runKey, { at: clock.now(), messageId: stored?.id }),
      );
      return undefined;
    } catch (error) {
      return this.#isDone ? undefined : { error };
    }
  }

  /** Marks the message as not delivered: no event of a run arrived. */
  #refuse(broken: BrokenStream): void {
    if (this.#isDone) return;
    const failure = failureIn(broken) ?? interruption('');
    this.#change((conversation) =>
      failSubmission(conversation, this.runKey, { failure, at: this.#context.clock.now() }),
    );
  }

  #breakOff(failure: RunFailure): void {
    if (this.#isDone) return;
    this.#change((conversation) =>
      breakOff(conversation, this.runKey, { failure, at: this.#context.clock.now() }),
    );
  }

  async #untilOnline(): Promise<void> {
    if (this.#context.online()) return;
    this.#connect('offline');
    await this.#backoff.online(this.#context.online);
  }

  get #run(): Run | undefined {
    return findRun(this.#context.store.conversation, this.runKey);
  }

  get #isDone(): boolean {
    const run = this.#run;
    return this.#abort.signal.aborted || this.#isStopped || run === undefined || hasEnded(run);
  }

  #change(change: (conversation: Conversation) => Conversation): void {
    this.#context.store.change(change);
  }

  #connect(connection: ConnectionState): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    this.#context.store.announce();
  }

  #finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#resolveOver();
  }
}

function failureIn({ error }: BrokenStream): RunFailure | undefined {
  return error === undefined ? undefined : failureOf(error);
}

/** Loads the cancel request with the first stop. */
async function cancelStoppedRun(context: SessionContext, stopped: StoppedRun): Promise<void> {
  try {
    const module = await import('./cancel-run.ts');
    await module.cancelRun(context, stopped);
  } catch {
    context.store.change((conversation) => markStop(conversation, stopped.runKey, false));
  }
}
