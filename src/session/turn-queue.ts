import { addPrompt, findRun, hasEnded, removePrompt, updateMessage } from '../conversation/index.ts';
import { isUnderWay } from '../conversation/run-status.ts';
import type { Prompt, Run } from '../conversation/index.ts';
import { parentOfNext } from './prompts.ts';
import { lacksToken } from './run-failure.ts';
import { merged } from './run-request.ts';
import { TurnRunner } from './turn-runner.ts';
import type { StartOptions } from './turn-runner.ts';
import type { SessionContext } from './session-context.ts';

/**
 * Runs the turns of a conversation one by one. The next starts when the current one is over or waits for the visitor.
 */
export class TurnQueue {
  /** Keys of the runs that were read here since the last `suspend`. */
  readonly read = new Set<string>();
  readonly #context: SessionContext;
  readonly #ended: (run: Run) => void;
  readonly #turns = new Map<string, TurnRunner>();
  readonly #waiters = new Map<string, () => void>();
  /** Keys of the runs that `resume` has looked up by their message; each is looked up once. */
  readonly #lookedUp = new Set<string>();
  /** Keys of the runs whose prompt is sent to the thread's callback. */
  readonly #callbacks = new Set<string>();
  /** Whether the queue waits for the visitor because the last turn failed. */
  #isHeld = false;

  /** @param ended called when a turn has ended or waits for the visitor */
  constructor(context: SessionContext, ended: (run: Run) => void) {
    this.#context = context;
    this.#ended = ended;
  }

  /** The turn in progress, if any. */
  get current(): TurnRunner | undefined {
    return [...this.#turns.values()].findLast((turn) => !turn.isOver);
  }

  /** The last turn that can be stopped, including one that waits for the visitor, until a later message replies. */
  get stoppable(): TurnRunner | undefined {
    const { conversation } = this.#context.store;
    return [...this.#turns.values()].findLast((turn) => {
      const { status, needsReply } = findRun(conversation, turn.runKey) ?? {};
      return turn.canStop && (status !== 'waiting' || needsReply);
    });
  }

  /** Adds a prompt. Resolves when its turn is over, or when it was removed. */
  async add(prompt: Prompt, route: Run['route'] = 'run'): Promise<void> {
    if (route === 'callback') this.#callbacks.add(prompt.id);
    const over = new Promise<void>((resolve) => {
      this.#waiters.set(prompt.id, resolve);
    });
    this.#context.store.change((conversation) => addPrompt(conversation, prompt, this.#context.clock.now()));
    this.#isHeld = false;
    this.#wake();
    await over;
  }

  /** Removes a queued prompt. */
  remove(id: string): void {
    this.#context.store.change((conversation) => removePrompt(conversation, id));
    this.#settle(id);
  }

  /**
   * Continues the last run if it did not end. Otherwise, ends the delays of turns and starts the next prompt, unless
   * the turn before it failed.
   */
  async resume(): Promise<void> {
    const last = this.#context.store.conversation.runs.at(-1);
    const how = last && !this.current && (this.#continuationOf(last) ?? this.#reopening(last));
    if (how && !(how.byMessage && this.#lookedUp.has(last.id))) {
      if (how.byMessage) this.#lookedUp.add(last.id);
      return void (await this.start(last.id, how));
    }
    this.#isHeld = last !== undefined && isLostOnTheWay(last); // also if another tab or page started that run
    this.#wake();
  }

  /** Starts the turn of an existing prompt. Resolves with the turn when it is over. */
  async start(runKey: string, how: StartOptions): Promise<TurnRunner> {
    this.#isHeld = false;
    this.read.add(runKey);
    this.#turns.get(runKey)?.abort();
    const turn = new TurnRunner(this.#context, runKey, this.#callbacks.has(runKey) ? 'callback' : 'run');
    this.#turns.set(runKey, turn);
    void turn.start(how).then(() => {
      if (this.#turns.get(runKey) === turn) this.#turns.delete(runKey);
      this.#context.store.announce();
    });
    await turn.over;
    if (this.#turns.get(runKey) === turn) {
      const run = findRun(this.#context.store.conversation, runKey);
      if (run) {
        this.#isHeld = !how.continueAfterFailure && !turn.isLost && isLostOnTheWay(run);
        this.#ended(run);
      }
      this.#settle(runKey);
      this.#advance();
    } // else the turn was started again or dropped
    // only now: other tabs must not take a pause between two queued turns for the end
    this.#context.store.announce();
    return turn;
  }

  /** Stops reading. Promises of turns stay pending, because a turn may be resumed. */
  suspend(): void {
    for (const turn of this.#turns.values()) turn.abort();
    this.#turns.clear();
    this.read.clear();
  }

  /** Ends every turn. `stop` cancels the runs at the service; `abort` lets them continue there. */
  clear(how: 'stop' | 'abort'): void {
    for (const turn of this.#turns.values()) {
      if (how === 'stop' && turn.canStop) void turn.stop();
      else turn.abort();
    }
    this.#turns.clear();
    this.#callbacks.clear();
    this.#isHeld = false;
    for (const id of [...this.#waiters.keys()]) this.#settle(id);
    this.#context.store.announce(); // the runs have ended: before their conversation is left
  }

  #wake(): void {
    for (const turn of this.#turns.values()) turn.wake();
    this.#advance();
  }

  #advance(): void {
    if (this.current || this.#isHeld || !this.#context.mayStart()) return;
    const { messages, runs } = this.#context.store.conversation;
    const next = messages.find(({ id, status }) => status === 'queued' && !runs.some((run) => run.id === id));
    if (!next) return;
    const last = runs.at(-1);
    // a run that an earlier page or another tab left unfinished, or whose token was refused, goes first
    const how = last && this.#continuationOf(last);
    const isRefused = lacksToken(this.#context.store.conversation);
    if (how && (isRefused || !this.read.has(last.id)))
      return void this.start(last.id, { ...how, continueAfterFailure: !isRefused });
    const prepare: StartOptions['prepare'] = ({ feedback, ...conversation }) =>
      updateMessage(conversation, next.id, (message) => ({
        ...message,
        parentMessageId: message.parentMessageId ?? parentOfNext(conversation),
        messageState: feedback ? merged({ content: feedback }, message.messageState) : message.messageState,
      }));
    void this.start(next.id, { by: 'post', prepare });
  }

  /** How to continue the last run; undefined if it ended or waits for the visitor. */
  #continuationOf(run: Run): StartOptions | undefined {
    const { store, settings } = this.#context;
    if (run.runId === undefined && lacksToken(store.conversation)) return { by: 'repost' };
    if (run.status === 'waiting' || hasEnded(run)) return undefined;
    if (run.runId !== undefined) return { by: 'resume' };
    if (settings().resumable === true) return { by: 'repost' };
    return run.route === 'run' ? { by: 'resume', byMessage: true } : undefined;
  }

  /** How to go on reading a run that waits for the visitor, and continues after the reply. */
  #reopening(run: Run): StartOptions | undefined {
    return run.needsReply && isUnderWay(run) && !this.read.has(run.id) ? { by: 'resume' } : undefined;
  }

  #settle(id: string): void {
    this.#waiters.get(id)?.();
    this.#waiters.delete(id);
  }
}

/** Whether the service gave no complete answer. The visitor decides whether to retry; the queue waits for that. */
function isLostOnTheWay({ status, failure }: Run): boolean {
  const isOfRun = /^(run|expired|format)$/.test(failure?.kind ?? '');
  return status !== 'cancelled' && failure?.retryable === true && !isOfRun;
}
