import { randomUUID } from 'node:crypto';
import type { AgentRun, RegisteredAgent } from '../agents/agent.ts';
import type { Guard } from '../guardrails/create-guard.ts';
import { inTime } from '../in-time.ts';
import { maxTimeoutMs } from '../max-timeout.ts';
import { startRunSpan } from '../telemetry/gen-ai.ts';
import type { Span } from '../telemetry/span.ts';
import { recoverJournal } from '../storage/event-journal.ts';
import type { Cursor } from '../storage/run-events.ts';
import { findRun, requestCancel, type Run } from '../storage/runs.ts';
import type { NewRun, RunStart, StartedRun } from '../storage/start-runs.ts';
import type { Store, Topic } from '../storage/store.ts';
import { CallbackInbox } from './callback-inbox.ts';
import { RunAborted, type RunEndReason } from './run-end.ts';
import { LiveReader } from './live-reader.ts';
import { RunFollowers } from './run-followers.ts';
import { Journal } from './journal.ts';
import { LaterMessages } from './later-messages.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { EngineReports } from './engine-reports.ts';
import { LiveRun } from './live-run.ts';
import { RunMeter, type AgentReports } from './run-meter.ts';
import { RunExecution } from './run-execution.ts';
import { RunStarter } from './run-starter.ts';
import { startedEvent } from './started-event.ts';
import { KeyedWaiters } from './keyed-waiters.ts';
import { UnreadRuns } from './unread-runs.ts';

export interface EngineOptions {
  readonly store: Store;
  /** Seconds a run continues without a reader; 0: it ends when its last reader leaves. */
  readonly graceSeconds: number;
  /** Duration of a lease; it is renewed after a third of it. */
  readonly leaseMs: number;
  /** Largest event, in bytes. */
  readonly eventLimit: number;
  /** Applies the guardrails of a request. */
  readonly guard: Guard;
  readonly reports: EngineReports;
}

/** The input of an agent, without the parts that the engine adds. */
export type RunInput = Omit<
  AgentRun,
  'runId' | 'threadId' | 'signal' | 'span' | 'nextCallback' | 'postLater' | 'dropReaders' | keyof AgentReports
> & {
  /** The span of the request that starts the run. */
  readonly requestSpan: Span;
};

/** The author whose limit a run counts against. */
interface RunAuthor {
  readonly tenantId: string;
  readonly author: string;
}

/** The abort reason for an agent that continues after the end of its run. */
const runOver = new RunAborted('cancelled');

interface Execution {
  readonly live: LiveRun;
  readonly controller: AbortController;
  readonly run: Run;
  readonly agent: RegisteredAgent;
  readonly finished: Promise<unknown>;
}

/** Executes, follows and ends runs. Each instance of the service has one. */
export class RunEngine {
  /** Identifies this instance in leases. */
  readonly owner = randomUUID();
  readonly #options: EngineOptions;
  readonly #journal: Journal;
  readonly #leases: LeaseKeeper;
  readonly #starter: RunStarter;
  readonly #followers: RunFollowers;
  readonly #executions = new Map<string, Execution>();
  /** Runs that are starting, with promises that resolve once they have started or failed. */
  readonly #starting = new Map<RunAuthor, Promise<void>>();
  /** Runs that are stored but not executed yet. A cancellation may come in between. */
  readonly #stored = new Map<string, { isCancelled: boolean }>();
  readonly #unread: UnreadRuns;
  readonly #waiters = new KeyedWaiters();
  readonly #stopListening: () => void;
  readonly #later: LaterMessages;
  #stopping = false;
  /** Runs end now; before, those that had begun were finished. */
  #ending = false;

  constructor(options: EngineOptions) {
    const { store, reports } = options;
    this.#options = options;
    this.#starter = new RunStarter(store);
    this.#later = new LaterMessages(store, (error, run) =>
      reports.error(error, 'a delayed message could not be stored', run),
    );
    this.#followers = new RunFollowers({
      store,
      graceSeconds: options.graceSeconds,
      onError: (error) => reports.error(error, 'runs of other instances could not be read; retrying'),
    });
    this.#unread = new UnreadRuns({
      store,
      graceSeconds: options.graceSeconds,
      readerWindowMs: this.#followers.readerWindowMs,
      onUnread: (runId) => this.#end(runId, 'unread'),
      onError: reports.error,
    });
    this.#journal = new Journal({
      store,
      owner: this.owner,
      onLost: (runId) => this.#endLost(runId),
    });
    this.#leases = new LeaseKeeper({
      store,
      owner: this.owner,
      leaseMs: options.leaseMs,
      onCancelled: (runId) => this.#end(runId, 'cancelled'),
      onOrphanEnded: reports.orphanEnded,
      onError: reports.error,
    });
    this.#stopListening = store.listen((topic) => this.#onTopic(topic));
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  get activeRuns(): number {
    return this.#executions.size;
  }

  /** Returns the number of active and starting runs on this instance: of an author, or without one of the tenant. */
  runsOf({ tenantId, author }: { readonly tenantId: string; readonly author?: string }): number {
    const isMeant = (of: string, by: string): boolean =>
      of === tenantId && (author === undefined || by === author);
    let count = 0;
    for (const { run } of this.#executions.values()) if (isMeant(run.tenant_id, run.author)) count += 1;
    for (const starting of this.#starting.keys()) if (isMeant(starting.tenantId, starting.author)) count += 1;
    return count;
  }

  /** Counts a run that is starting. Call the returned function when it has started or failed. */
  countStarting({ tenantId, author }: RunAuthor): () => void {
    const key = { tenantId, author };
    let settle: () => void = () => undefined;
    this.#starting.set(key, new Promise((resolve) => (settle = resolve)));
    return () => {
      this.#starting.delete(key);
      settle();
    };
  }

  /** Ends runs of a former process, then starts watching leases. */
  async open(): Promise<void> {
    if (!this.#options.store.shared) await recoverJournal(this.#options.store);
    await this.#leases.open();
  }

  /** Stores a visitor's message and its run, which this instance is to execute. */
  async start(opening: Omit<NewRun, 'owner' | 'leaseMs' | 'firstEvent'>): Promise<RunStart> {
    const { leaseMs } = this.#options;
    const values = { ...opening, owner: this.owner, leaseMs, firstEvent: startedEvent };
    const start = await this.#starter.start(values);
    if (start.kind === 'started') this.#stored.set(start.run.id, { isCancelled: start.cancelled });
    return start;
  }

  /** Executes a run that `start` returned. Returns at once. */
  execute(
    { run, firstEvent }: StartedRun,
    agent: RegisteredAgent,
    { requestSpan, ...input }: RunInput,
  ): void {
    const { reports, eventLimit, guard } = this.#options;
    const span = startRunSpan(requestSpan, run, agent);
    const controller = new AbortController();
    const live = new LiveRun(run, () => this.#unread.update({ run, live }));
    const inbox = new CallbackInbox({
      store: this.#options.store,
      run,
      waiters: this.#waiters,
      signal: controller.signal,
      onError: (error) => reports.error(error, 'callbacks could not be read; retrying', run),
    });
    const meter = new RunMeter({ run, agent, reports, span });
    const agentRun: AgentRun = {
      ...input,
      runId: run.id,
      threadId: run.thread_id,
      span,
      traceparent: span.traceparent ?? input.traceparent,
      signal: controller.signal,
      nextCallback: () => inbox.next(),
      postLater: (milliseconds, message) => this.#later.post(run, milliseconds, message),
      dropReaders: () => live.dropReaders(),
      ...meter.forAgent(),
    };
    const execution = new RunExecution({
      live,
      journal: this.#journal,
      run: agentRun,
      started: firstEvent,
      events: () =>
        guard.events(agentRun, (guarded) => {
          meter.recordInput(guarded);
          return agent.agent.run(guarded);
        }),
      checkComposed: (content, signal) => guard.composed(agentRun, content, signal),
      eventLimit,
      meter,
    });
    if (this.#stored.get(run.id)?.isCancelled) controller.abort(new RunAborted('cancelled'));
    else if (this.#ending) controller.abort(new RunAborted('stopping'));
    const limit = input.llmParams.time_limit;
    const timeLimit =
      typeof limit === 'number' && limit > 0
        ? setTimeout(() => this.#end(run.id, 'expired'), Math.min(limit, maxTimeoutMs))
        : undefined;
    const finished = span
      .within(() => execution.execute())
      .then((status) => {
        this.#unread.delete(run.id);
        this.#executions.delete(run.id);
        clearTimeout(timeLimit);
        if (!controller.signal.aborted) controller.abort(runOver);
        meter.ended(status);
        this.#waiters.notify(`run:${run.id}`);
      });
    this.#executions.set(run.id, { live, controller, run, agent, finished });
    this.#stored.delete(run.id);
    this.#unread.update({ run, live });
  }

  /** Returns a reader of a run on this instance; `undefined` when it has ended or runs elsewhere. */
  readLive(runId: string, cursor: Cursor): LiveReader | undefined {
    const live = this.#executions.get(runId)?.live;
    return live && new LiveReader(this.#options.store, live, cursor);
  }

  /** Returns a reader of a run that has ended or belongs to another instance. */
  readElsewhere(run: Run, cursor: Cursor): LiveReader {
    return new LiveReader(this.#options.store, this.#followers.follow(run, cursor), cursor);
  }

  /** Waits for a change in a thread, at most `milliseconds`. */
  threadChanged(threadId: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    return this.#waiters.wait(`thread:${threadId}`, milliseconds, signal);
  }

  /** Cancels a run on any instance. Does nothing when it has ended. */
  async cancel(runId: string): Promise<void> {
    if (this.#end(runId, 'cancelled')) return;
    await requestCancel(this.#options.store, runId);
  }

  /** Cancels a run of this instance after `waitMs` if nobody reads it by then, on any instance. */
  cancelUnlessRead(runId: string, waitMs: number): void {
    const execution = this.#executions.get(runId);
    if (execution) this.#unread.checkAfter(execution, waitMs);
  }

  /**
   * Ends runs of this instance whose threads are deleted, also those that are starting, and waits for their last
   * writes.
   */
  async endRuns(isMeant: (run: Run) => boolean): Promise<void> {
    await Promise.all(this.#starting.values());
    const executions = [...this.#executions.values()].filter(({ run }) => isMeant(run));
    for (const { controller } of executions) controller.abort(new RunAborted('deleted'));
    await Promise.all(executions.map((execution) => execution.finished));
  }

  /** Moves all events from the event journal to their runs, so that nothing of deleted runs stays in it. */
  clearJournal(): Promise<void> {
    return this.#journal.settle();
  }

  /** Waits until the runs of some agents, which get no new ones, have finished. */
  async agentsFinished(agents: readonly RegisteredAgent[]): Promise<void> {
    await Promise.all(this.#starting.values());
    const executions = [...this.#executions.values()].filter(({ agent }) => agents.includes(agent));
    await Promise.all(executions.map(({ finished }) => finished));
  }

  /** Refuses new runs, and waits at most `seconds` until those under way have finished. */
  async drain(seconds: number): Promise<void> {
    this.#stopping = true;
    if (seconds > 0) await inTime(this.#allFinished(), seconds * 1000, () => undefined);
  }

  async #allFinished(): Promise<void> {
    while (this.#executions.size > 0 || this.#starting.size > 0) {
      const finished = [...this.#executions.values()].map((execution) => execution.finished);
      await Promise.all([...finished, ...this.#starting.values()]);
    }
  }

  /** Ends every run with a terminal event and releases the store. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ending = true;
    for (const { controller } of this.#executions.values()) controller.abort(new RunAborted('stopping'));
    await this.#allFinished();
    this.#later.close();
    await this.#journal.flush().catch((error: unknown) => {
      this.#options.reports.error(
        error,
        'the database is unavailable: the last events of some runs are lost',
      );
    });
    await this.#leases.close();
    this.#followers.close();
    this.#stopListening();
    this.#waiters.notifyAll();
  }

  #end(runId: string, end: RunEndReason): boolean {
    const execution = this.#executions.get(runId);
    if (execution) {
      if (!execution.controller.signal.aborted) execution.controller.abort(new RunAborted(end));
      return true;
    }
    const stored = this.#stored.get(runId);
    if (stored) stored.isCancelled = true; // no other end comes this early
    return stored !== undefined;
  }

  /** Ends a run that this instance has lost. A deleted run ends as cancelled, as for readers of other instances. */
  async #endLost(runId: string): Promise<RunEndReason> {
    const { store, reports } = this.#options;
    const run = await findRun(store.database, runId).catch(() => null); // unknown while the database is away
    const reason = run === undefined ? 'deleted' : 'lost';
    const execution = this.#executions.get(runId);
    const isNew = execution && !execution.controller.signal.aborted;
    if (isNew && reason === 'lost') reports.leaseLost(execution.agent.id);
    this.#end(runId, reason);
    return reason;
  }

  #onTopic(topic: Topic): void {
    if (topic === '*') return this.#waiters.notifyAll();
    if (topic.startsWith('cancel:')) this.#end(topic.slice('cancel:'.length), 'cancelled');
    else this.#waiters.notify(topic);
  }
}
