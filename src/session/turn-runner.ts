import type { StreamOptions } from '../client/agent-client.ts';
import {
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
  restartRun,
  stopRun,
  takeUp,
} from '../conversation/index.ts';
import type { Conversation, Run, RunFailure } from '../conversation/index.ts';
import type { RunEvent } from '../protocol/index.ts';
import type { StoppedRun } from './cancel-run.ts';
import { failureOf, httpStatus } from './run-failure.ts';
import { readRun } from './read-run.ts';
import { buildMessage, buildRunRequest } from './run-request.ts';
import type { ConnectionState } from './session-settings.ts';
import type { TurnHost } from './session-context.ts';
import { attemptLimit, delayBefore, longestWait, Waiting } from './backoff.ts';

/** Longest that who stops a turn waits for the service to be told, in milliseconds; the telling itself goes on. */
const stopPatience = 6_000;

/** How a turn gets going. */
export interface TurnStart {
  /** Posted for the first time, posted again, or taken up where its stream broke. */
  readonly by: 'post' | 'repost' | 'take-up';
  /** `repost`: the new `client_message_id`, for a run that the service itself has ended. */
  readonly afresh?: string | undefined;
  /** `take-up`: post again where the service cannot replay the run. Only the visitor may want that. */
  readonly orRepost?: boolean;
  /** What is queued goes out after it, whatever comes of it. */
  readonly goesOn?: boolean;
}

/** What one reading of a stream left behind. */
type Reading = { readonly broken: RunFailure; readonly error: unknown } | undefined;

/**
 * One turn from the visitor's words to the end of the answer: posts once, reads, takes up a broken stream where the
 * service can replay it. Whatever happens becomes state of the run; nothing is thrown.
 */
export class Turn {
  readonly runKey: string;
  /** Resolves when the turn is the visitor's again; what is late may still be read. */
  readonly over: Promise<void>;
  readonly #host: TurnHost;
  readonly #route: Run['route'];
  readonly #abort = new AbortController();
  readonly #waiting: Waiting;
  #connection: ConnectionState = 'connecting';
  #resolveOver: () => void = () => undefined;
  #isOver = false;
  #isReading = true;
  #isMuted = false;
  #wasOpened = false;
  #heardRunId: (runId: string) => void = () => undefined;

  constructor(host: TurnHost, runKey: string, route: Run['route'] = 'run') {
    this.#route = route;
    this.#host = host;
    this.runKey = runKey;
    this.#waiting = new Waiting(host.clock, this.#abort.signal);
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
  }

  get connection(): ConnectionState {
    return this.#connection;
  }

  /** The visitor may speak: the turn has ended, or waits for a reply. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether there is something to stop. */
  get canStop(): boolean {
    const run = this.#run;
    return this.#isReading && !this.#isMuted && run !== undefined && !hasEnded(run);
  }

  /** Runs the turn to the end of its stream. Never throws. */
  async start(how: TurnStart): Promise<void> {
    try {
      if (how.by === 'take-up') {
        const cause = this.#run?.failure ?? interruption('');
        this.#change((conversation) => takeUp(conversation, this.runKey));
        const canReplay = await this.#takeUp(cause);
        if (!canReplay && how.orRepost === true && !this.#isDone) await this.#post({ by: 'repost' });
      } else await this.#post(how);
    } catch (error) {
      this.#breakOff(failureOf(error));
    }
    this.#isReading = false;
    this.#finish();
  }

  /** Ends a wait for the network or for the next try. */
  wake(): void {
    this.#waiting.wake();
  }

  /** Stops reading at once; the service is not told, so the run goes on there. */
  abort(): void {
    this.#abort.abort();
    this.#isReading = false;
    this.#finish();
  }

  /**
   * The visitor's Stop: the state changes at once; then the service is told, if it can be. Resolves when it was told,
   * or after 6 s. Never throws.
   */
  async stop(): Promise<void> {
    const run = this.#run;
    this.#isMuted = true;
    this.#waiting.wake();
    this.#change((conversation) => stopRun(conversation, this.runKey, this.#host.clock.now()));
    this.#finish();
    if (run?.route === 'run') {
      // as things stand now: the thread, or the visitor, may be another by the time the rest is there
      const { cancelRun: cancel } = this.#host.client().extensions;
      const prompt = findMessage(this.#host.store.conversation, this.runKey);
      const named = run.runId ?? prompt?.clientMessageId;
      const learned =
        run.runId === undefined
          ? new Promise<string>((resolve) => {
              this.#heardRunId = resolve;
            })
          : undefined;
      if (!learned) this.abort();
      const told = tellOfStop(this.#host, { runKey: this.runKey, named, learned, cancel });
      // the telling may wait for what the turn itself waited for, a token say
      await new Promise<void>((resolve) => {
        const takeBack = this.#host.clock.after(stopPatience, resolve);
        void told.then(() => {
          this.abort();
          takeBack();
          resolve();
        });
      });
    } else this.abort();
  }

  async #post(how: TurnStart): Promise<void> {
    const { clock, settings, client } = this.#host;
    this.#change((conversation) =>
      how.by === 'post'
        ? beginRun(conversation, this.runKey, { at: clock.now(), route: this.#route })
        : restartRun(conversation, this.runKey, { at: clock.now(), afresh: how.afresh }),
    );
    for (let attempt = 0; ; attempt += 1) {
      const prompt = findMessage(this.#host.store.conversation, this.#run?.promptId);
      if (!prompt || this.#isDone) return;
      this.#connect('connecting');
      if (this.#run?.route === 'callback') return this.#postCallback(attempt);
      const request = buildRunRequest(this.#host.store.conversation, prompt, settings());
      const reading = await this.#read((options) => client().runStream(request, options));
      if (!reading) return;
      if (this.#run?.status !== 'submitted') {
        await this.#takeUp(reading.broken);
        return;
      }
      if (!(await this.#mayPostAgain(reading, attempt))) return this.#refuse(reading);
    }
  }

  /**
   * A turn of which nothing was heard is posted again by itself only when it cannot have arrived (no network), or
   * where the host vouches that the service runs no turn twice.
   */
  async #mayPostAgain(reading: NonNullable<Reading>, attempt: number): Promise<boolean> {
    const { online, settings, clock } = this.#host;
    const { kind, retryAfter } = failureOf(reading.error);
    if (kind === 'network' && !this.#wasOpened && !online()) {
      await this.#untilOnline();
      return !this.#isDone;
    }
    const isPassing = kind === 'network' || kind === 'interrupted' || kind === 'timeout' || kind === 'server';
    if (settings().resumable !== true || !isPassing || attempt + 1 >= attemptLimit) return false;
    const asked = (retryAfter ?? 0) * 1000;
    if (asked > longestWait) return false;
    this.#connect('resuming');
    await this.#waiting.pause(Math.max(asked, delayBefore(attempt + 1, clock.random())));
    await this.#untilOnline();
    return !this.#isDone;
  }

  /** Reads the run on from its last event. False: the service cannot replay it. */
  async #takeUp(cause: RunFailure): Promise<boolean> {
    const { clock, client, settings } = this.#host;
    let failure = cause;
    for (let attempt = 0; attempt < attemptLimit; attempt += 1) {
      const runId = this.#run?.runId;
      if (this.#isDone) return true;
      if (runId === undefined || settings().resumable === false) {
        this.#breakOff(failure);
        return false;
      }
      this.#connect('resuming');
      await this.#waiting.pause(delayBefore(attempt, clock.random()));
      await this.#untilOnline();
      if (this.#isDone) return true;
      this.#connect('resuming');
      const before = this.#run?.lastEventId;
      const lastEventId = before === undefined ? {} : { lastEventId: before };
      const reading = await this.#read((options) =>
        client().extensions.runEvents(runId, { ...options, ...lastEventId }),
      );
      if (!reading) return true;
      const status = httpStatus(reading.error);
      if (status === 401) failure = failureOf(reading.error);
      if (status !== undefined && isFinal(status)) {
        this.#breakOff(failure);
        return status === 401;
      }
      if (this.#run?.lastEventId !== before) attempt = 0;
    }
    this.#breakOff(failure);
    return true;
  }

  /** Reads one stream. Undefined: the turn needs no more; else why the stream is broken. */
  async #read(open: (options: StreamOptions) => AsyncIterable<RunEvent>): Promise<Reading> {
    this.#wasOpened = false;
    let thrown: unknown;
    try {
      await readRun(this.#host, this.runKey, { open, signal: this.#abort.signal, listener: this.#listener });
    } catch (error) {
      thrown = error;
    }
    const run = this.#run;
    if (this.#isDone || !run) return undefined;
    if (run.status !== 'interrupted' && (run.failure || run.needsReply) && run.status !== 'submitted') {
      this.#change((conversation) => endStream(conversation, this.runKey, this.#host.clock.now()));
      return undefined;
    }
    const failure = thrown === undefined ? undefined : failureOf(thrown);
    return { broken: interruption(failure?.reason ?? ''), error: thrown };
  }

  readonly #listener = {
    isMuted: (): boolean => this.#isMuted,
    opened: (): void => {
      this.#wasOpened = true;
      this.#connect('streaming');
    },
    progressed: (event: RunEvent): void => {
      const runId = event.data['run_id'];
      if (typeof runId === 'string') this.#heardRunId(runId);
      if (this.#isMuted) return;
      this.#change((conversation) => takeUp(conversation, this.runKey));
      this.#connect('streaming');
      this.#host.runEvent(event, this.runKey);
      if (this.#run?.needsReply === true || this.#run?.done === true) this.#finish();
    },
    stalled: (): void => {
      this.#connect('stalled');
    },
  };

  async #postCallback(attempt: number): Promise<void> {
    const { store, clock, client, settings } = this.#host;
    const { threadId } = store.conversation;
    const prompt = findMessage(store.conversation, this.runKey);
    if (threadId === undefined || !prompt) return;
    try {
      const { signal } = this.#abort;
      const stored = await client().postCallback(threadId, buildMessage(prompt, settings()), { signal });
      this.#change((conversation) =>
        completeCallback(conversation, this.runKey, { at: clock.now(), messageId: stored?.id }),
      );
    } catch (error) {
      if (this.#isDone) return;
      const reading = { broken: interruption(''), error };
      if (await this.#mayPostAgain(reading, attempt)) return this.#postCallback(attempt + 1);
      this.#refuse(reading);
    }
  }

  /** Nothing of a run was heard: the message counts as not delivered. */
  #refuse(reading: NonNullable<Reading>): void {
    if (this.#isDone) return;
    const failure = reading.error === undefined ? reading.broken : failureOf(reading.error);
    this.#change((conversation) =>
      failSubmission(conversation, this.runKey, { failure, at: this.#host.clock.now() }),
    );
  }

  #breakOff(failure: RunFailure): void {
    if (this.#isDone) return;
    this.#change((conversation) =>
      breakOff(conversation, this.runKey, { failure, at: this.#host.clock.now() }),
    );
  }

  async #untilOnline(): Promise<void> {
    if (this.#host.online()) return;
    this.#connect('offline');
    await this.#waiting.online(this.#host.online);
  }

  get #run(): Run | undefined {
    return findRun(this.#host.store.conversation, this.runKey);
  }

  get #isDone(): boolean {
    const run = this.#run;
    return this.#abort.signal.aborted || this.#isMuted || run === undefined || hasEnded(run);
  }

  #change(change: (conversation: Conversation) => Conversation): void {
    this.#host.store.change(change);
  }

  #connect(connection: ConnectionState): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    this.#host.connectionChanged();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resolveOver();
    this.#host.connectionChanged();
  }
}

/** Whether asking again for a run's events can bring nothing else. */
function isFinal(status: number): boolean {
  return status === 501 || (status < 500 && status !== 408 && status !== 429);
}

/** What tells the service is fetched when somebody stops a run for the first time. */
async function tellOfStop(host: TurnHost, stopped: StoppedRun): Promise<void> {
  try {
    const { cancelRun } = await import('./cancel-run.ts');
    await cancelRun(host, stopped);
  } catch {
    host.store.change((conversation) => markStop(conversation, stopped.runKey, false));
  }
}
