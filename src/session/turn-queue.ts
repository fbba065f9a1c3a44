import { addPrompt, findRun, removePrompt, updateMessage } from '../conversation/index.ts';
import type { Prompt, Run } from '../conversation/index.ts';
import { parentOfNext } from './prompts.ts';
import { merged } from './run-request.ts';
import { Turn } from './turn-runner.ts';
import type { TurnStart } from './turn-runner.ts';
import type { TurnHost } from './session-context.ts';

/** Runs the turns of a conversation: one at a time, the next when the last is over or waits for the visitor. */
export class TurnQueue {
  readonly #host: TurnHost;
  readonly #ended: (run: Run) => void;
  readonly #turns = new Map<string, Turn>();
  readonly #waiters = new Map<string, () => void>();
  /** Runs that were read here since the conversation was left last. */
  readonly #read = new Set<string>();
  /** Runs whose prompt goes to the thread's callback. */
  readonly #callbacks = new Set<string>();
  /** The last turn was lost on the way, or not taken: what is queued waits until somebody acts. */
  #isHeld = false;

  /** @param ended told when a turn is the visitor's again, whatever came of it */
  constructor(host: TurnHost, ended: (run: Run) => void) {
    this.#host = host;
    this.#ended = ended;
  }

  /** The turn that is on, if any. */
  get current(): Turn | undefined {
    return [...this.#turns.values()].findLast((turn) => !turn.isOver);
  }

  /** The last turn that can be stopped; one that waits for the visitor counts. */
  get stoppable(): Turn | undefined {
    return [...this.#turns.values()].findLast((turn) => turn.canStop);
  }

  /** Adds a prompt. Resolves when its turn is over, or it was taken back. */
  async add(prompt: Prompt, route: Run['route'] = 'run'): Promise<void> {
    if (route === 'callback') this.#callbacks.add(prompt.id);
    const over = new Promise<void>((resolve) => {
      this.#waiters.set(prompt.id, resolve);
    });
    this.#host.store.change((conversation) => addPrompt(conversation, prompt, this.#host.clock.now()));
    this.#isHeld = false;
    this.#wake();
    await over;
  }

  /** Takes a prompt back that still waits. */
  remove(id: string): void {
    this.#host.store.change((conversation) => removePrompt(conversation, id));
    this.#settle(id);
  }

  /** Ends the waits of turns, and takes up the next prompt, unless the turn before it was lost on the way. */
  goOn(): void {
    const last = this.#host.store.conversation.runs.at(-1);
    this.#isHeld = last !== undefined && isLostOnTheWay(last); // known of a run that was begun elsewhere, too
    this.#wake();
  }

  /** Runs a turn of which the prompt is known already, or the first that waits. Resolves when it is over. */
  async start(runKey: string, how: TurnStart): Promise<void> {
    this.#isHeld = false;
    this.#read.add(runKey);
    this.#turns.get(runKey)?.abort();
    const turn = new Turn(this.#host, runKey, this.#callbacks.has(runKey) ? 'callback' : 'run');
    this.#turns.set(runKey, turn);
    void turn.start(how).then(() => {
      if (this.#turns.get(runKey) === turn) this.#turns.delete(runKey);
      this.#host.connectionChanged();
    });
    await turn.over;
    if (this.#turns.get(runKey) !== turn) return; // started again, or let go
    const run = findRun(this.#host.store.conversation, runKey);
    if (run) {
      this.#isHeld = !how.goesOn && isLostOnTheWay(run);
      this.#ended(run);
    }
    this.#settle(runKey);
    this.#advance();
  }

  /** Stops reading; who waits for a turn waits on, for it may be taken up. */
  suspend(): void {
    for (const turn of this.#turns.values()) turn.abort();
    this.#turns.clear();
    this.#read.clear();
  }

  /** Lets every turn go. `stop`: the service is told; otherwise its runs go on. */
  clear(how: 'stop' | 'abort'): void {
    for (const turn of this.#turns.values()) {
      if (how === 'stop' && turn.canStop) void turn.stop();
      else turn.abort();
    }
    this.#turns.clear();
    this.#callbacks.clear();
    this.#isHeld = false;
    for (const id of [...this.#waiters.keys()]) this.#settle(id);
  }

  #wake(): void {
    for (const turn of this.#turns.values()) turn.wake();
    this.#advance();
  }

  #advance(): void {
    if (this.current || this.#isHeld) return;
    const { messages, runs } = this.#host.store.conversation;
    const next = messages.find(({ id, status }) => status === 'queued' && !runs.some((run) => run.id === id));
    if (!next) return;
    const last = runs.at(-1);
    // left by an earlier page: what was said since comes after it, whole or not
    if (last?.status === 'interrupted' && last.runId && !this.#read.has(last.id))
      return void this.start(last.id, { by: 'take-up', goesOn: true });
    this.#host.store.change(({ feedback, ...conversation }) =>
      updateMessage(conversation, next.id, (message) => ({
        ...message,
        parentMessageId: message.parentMessageId ?? parentOfNext(conversation),
        messageState: feedback ? merged({ content: feedback }, message.messageState) : message.messageState,
      })),
    );
    void this.start(next.id, { by: 'post' });
  }

  #settle(id: string): void {
    this.#waiters.get(id)?.();
    this.#waiters.delete(id);
  }
}

/** Nobody answered it, or not to the end: to repeat it is the visitor's choice, and what is queued comes after it. */
const lost: ReadonlySet<string | undefined> = new Set([
  'network',
  'timeout',
  'interrupted',
  'auth',
  'token',
  'rate-limit',
  'server',
]);

function isLostOnTheWay({ status, failure }: Run): boolean {
  return status !== 'cancelled' && lost.has(failure?.kind);
}
