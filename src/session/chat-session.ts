import type { WireDiagnostic } from '../client/agent-client.ts';
import {
  answerTo,
  breakOff,
  emptyConversation,
  findMessage,
  findRun,
  hasEnded,
  interruption,
  isUnderWay,
  recordAnswer,
  recordFeedback,
} from '../conversation/index.ts';
import type { Conversation, ConversationMessage, Feedback, ItemAnswer, Run } from '../conversation/index.ts';
import { nonEmptyString } from '../conversation/read-values.ts';
import type { Message } from '../protocol/index.ts';
import { platformClock } from './clock.ts';
import { ConversationStore } from './conversation-store.ts';
import type { Notifier } from './notifier.ts';
import { hasLaterTurn, promptOf } from './prompts.ts';
import { connectionAfter, lacksToken } from './run-failure.ts';
import type { ChatSessionOptions, ConnectionState, OutgoingMessage } from './session-settings.ts';
import type { SessionState } from './session-state.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import { ThreadHistory, type HistoryState } from './thread-history.ts';
import { ThreadSubscription } from './thread-subscription.ts';
import type { SessionContext } from './session-context.ts';
import { TurnQueue } from './turn-queue.ts';

/**
 * Drives one conversation: sends, queues, stops, retries and resumes turns. Uses no DOM. Errors become state
 * (`conversation`, `connection`); no method throws or rejects because of them.
 */
export class ChatSession {
  /**
   * Whether the service is known to store threads: it returned a history, or opened a thread's event stream, here or in
   * another tab.
   */
  keepsThreads = false;
  readonly #options: ChatSessionOptions;
  readonly #store: ConversationStore;
  readonly #context: SessionContext;
  readonly #turns: TurnQueue;
  readonly #snapshots: SnapshotWriter | undefined;
  /** Loads with the first message that arrives unseen. */
  #notifier: Promise<Notifier | undefined> | undefined;
  #isAttended = true;
  readonly #subscription: ThreadSubscription;
  readonly #history: ThreadHistory;

  constructor(options: ChatSessionOptions) {
    this.#options = options;
    const diagnose = (diagnostic: WireDiagnostic): void => {
      try {
        options.onDiagnostic?.(diagnostic);
      } catch {
        // an error of the page must not end the turn
      }
    };
    const { storage, initial = storage && SnapshotWriter.load(storage, diagnose) } = options;
    this.#store = new ConversationStore(initial ?? emptyConversation);
    this.#context = {
      store: this.#store,
      clock: options.clock ?? platformClock,
      client: () => (typeof options.client === 'function' ? options.client() : options.client),
      // @assumed a service that stores threads runs no turn twice; only ours was seen to store them
      settings: () => (this.keepsThreads ? { resumable: true, ...options.settings() } : options.settings()),
      online: () => options.online?.() ?? true,
      mayStart: () => options.mayStart?.() ?? true,
      diagnose,
      onRunEvent: options.onRunEvent,
    };
    this.#snapshots = storage && new SnapshotWriter(this.#context, storage);
    this.#subscription = new ThreadSubscription(this.#context, {
      opened: (isService) => {
        this.keepsThreads = isService;
        this.#store.announce();
      },
      arrived: () => {
        this.#arrived(undefined);
        options.onCallback?.();
      },
    });
    this.#history = new ThreadHistory(this.#context, {
      isReading: () => this.busy,
      arrived: () => this.#arrived(undefined),
      loaded: (attempt) => {
        this.keepsThreads = true;
        if (attempt > 0) options.onHistory?.();
      },
      gone: options.onThreadGone ?? (() => this.newThread()),
    });
    this.#turns = new TurnQueue(this.#context, (run) => {
      if (run.status !== 'cancelled' && run.route === 'run') this.#arrived(run.runId);
      if (!lacksToken(this.conversation)) this.#history.wake();
      this.#snapshots?.flush();
    });
    this.#store.subscribe(() => {
      this.#history.threadChanged();
      this.#snapshots?.changed();
      this.#subscription.threadChanged();
      this.#readNotifications();
    });
  }

  get conversation(): Conversation {
    return this.#store.conversation;
  }

  get connection(): ConnectionState {
    const { current } = this.#turns;
    if (current) return current.connection;
    if (!this.#context.online()) return 'offline';
    return connectionAfter(this.conversation.runs.at(-1)?.failure);
  }

  /** Whether the thread's stored messages are still loading. */
  get history(): HistoryState {
    return this.#history.state;
  }

  /** Whether a turn, the thread's callback messages or its history wait for another token. */
  get needsToken(): boolean {
    const isLacking = (!this.busy && lacksToken(this.conversation)) || this.history === 'auth-needed';
    return isLacking || this.#subscription.needsToken;
  }

  /** Whether there is a run to stop. */
  get canStop(): boolean {
    return this.#turns.stoppable !== undefined;
  }

  /** Whether a turn is in progress, so that `send` queues. False while the agent waits for the visitor. */
  get busy(): boolean {
    return this.#turns.current !== undefined;
  }

  /** `Run.id`s of the runs that were read here since the last `suspend`. */
  get readRuns(): ReadonlySet<string> {
    return this.#turns.read;
  }

  /** All of the above in one object, for rendering and for other tabs. */
  get state(): SessionState {
    const { connection, history, canStop, busy, keepsThreads } = this;
    return { connection, history, canStop, busy, keepsThreads };
  }

  /** Whether the visitor sees the conversation. Messages that arrive while false are posted as notifications. */
  get attended(): boolean {
    return this.#isAttended;
  }

  set attended(isAttended: boolean) {
    this.#isAttended = isAttended;
    this.#readNotifications();
  }

  /**
   * Calls `listener` synchronously after every change.
   * @returns removes the listener
   */
  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener);
  }

  /**
   * Sends a message, or queues it while a run is in progress. An empty message is ignored.
   * @param message text, or a message with content items, documents, mentions or the message it replies to
   * @returns resolves when the turn has ended, waits for the visitor, or was removed from the queue
   */
  async send(message: string | OutgoingMessage): Promise<void> {
    const outgoing = typeof message === 'string' ? { content: message } : message;
    const prompt = promptOf(outgoing, this.#context.clock.uuid());
    if (prompt) await this.#turns.add(prompt);
  }

  /** Stops the current run, keeps its partial answer, and cancels it at the service where possible. */
  async stop(): Promise<void> {
    await this.#turns.stoppable?.stop();
  }

  /**
   * Retries a turn. A turn that was interrupted keeps its `client_message_id`, so that our service does not run it
   * twice. A turn that the service ended is replaced by one with a new id. A turn with later ones that cannot be resumed
   * is sent again after them. Otherwise, does nothing while a run is in progress.
   * @param runKey `Run.id`. Default: the last run
   */
  async retry(runKey?: string): Promise<void> {
    const run = runKey === undefined ? this.conversation.runs.at(-1) : findRun(this.conversation, runKey);
    // do not repeat a turn that was answered or waits for the visitor
    if (!run || run.status === 'completed' || run.status === 'waiting' || isUnderWay(run)) return;
    const prompt = findMessage(this.conversation, run.id);
    const hasLater = prompt && hasLaterTurn(this.conversation, prompt);
    if (run.status === 'interrupted' && run.runId !== undefined && !this.busy) {
      const before = this.conversation;
      const { isLost } = await this.#turns.start(run.id, { by: 'resume', orRepost: !hasLater });
      if (hasLater && isLost) return this.#sendAgain(prompt);
      const module = await import('./retry-turn.ts').catch(() => undefined);
      if (module?.hasOnlyFailed(run.id, before, this.conversation)) await this.retry(run.id);
      return;
    }
    if (hasLater) return this.#sendAgain(prompt);
    if (this.busy) return;
    const isOver = hasEnded(run) && (run.runId !== undefined || run.status === 'cancelled');
    const newClientMessageId = isOver ? this.#context.clock.uuid() : undefined;
    await this.#turns.start(run.id, { by: 'repost', newClientMessageId });
  }

  /** Requests another answer to the same message. The old turn and all later ones are kept but hidden. */
  async regenerate(messageId: string): Promise<void> {
    await this.#replace(messageId);
  }

  /**
   * Replaces a message and sends the new one. The old turn and all later ones are kept but hidden.
   * @param content the new text, or the complete message to send
   */
  async edit(messageId: string, content: string | Message): Promise<void> {
    await this.#replace(messageId, content);
  }

  /** Removes a message from the queue. Does nothing when it was sent already. */
  removeQueued(messageId: string): void {
    this.#turns.remove(messageId);
  }

  /**
   * Answers a form or an option. The answer becomes read-only and is sent as a new run, or to the thread's callback
   * (`formSubmit`). If the service rejects it, the item can be answered again.
   * @param message additional fields of the message that carries the answer
   */
  async answer(
    messageId: string,
    itemId: string,
    answer: ItemAnswer,
    message?: Partial<Message>,
  ): Promise<void> {
    const asked = findMessage(this.conversation, messageId);
    // an item inside a card is not in `items`; the caller then passes the complete message
    const inner = message?.content && { id: itemId, type: '', text: '', source: {} };
    const item = asked?.items.find((candidate) => candidate.id === itemId) ?? inner;
    if (!asked || !item || answerTo(asked, itemId)) return;
    const record = (value: ItemAnswer | undefined): void =>
      this.#store.change((conversation) => recordAnswer(conversation, messageId, itemId, value));
    record(answer);
    const module = await import('./answer-message.ts').catch(() => undefined);
    // the thread may have changed meanwhile
    if (findMessage(this.conversation, messageId)?.answers[itemId] !== answer) return;
    const input = module?.createAnswerMessage(this.#context, { asked, item, answer, message });
    const prompt = input && promptOf(input, this.#context.clock.uuid());
    if (!prompt) return record(undefined);
    await this.#turns.add(prompt, module?.routeOf(answer, this.#context));
    // a rejected answer may be changed
    if (module?.wasRefused(findRun(this.conversation, prompt.id))) record(undefined);
  }

  /** Records feedback on an answer; it is sent with the next message. */
  feedback(messageId: string, itemId: string | undefined, feedback: Feedback): void {
    const message = findMessage(this.conversation, messageId);
    const item = message?.items.find((candidate) => candidate.id === itemId) ?? message?.items[0];
    const key = nonEmptyString(item?.source.id) ?? item?.id ?? messageId;
    this.#store.change((conversation) => recordFeedback(conversation, messageId, key, feedback));
  }

  /**
   * Continues after an interruption, after being offline, after a reload, or with a new token. Does not post a turn
   * again that may have started, unless the `resumable` setting allows it.
   */
  async resume(): Promise<void> {
    this.#subscription.wake();
    this.#history.wake();
    if (!this.busy) this.#breakOffOrphan(interruption(''));
    await this.#turns.resume();
  }

  /** Stops reading and saves. Runs continue at the service; `resume` reads them again. */
  suspend(): void {
    this.#subscription.stop();
    this.#history.cancel();
    this.#turns.suspend();
    this.#breakOffOrphan(interruption(''));
    this.#snapshots?.flush();
  }

  /** Saves unsaved changes immediately. */
  save(): void {
    this.#snapshots?.flush();
  }

  /** Applies a change made elsewhere, such as in another tab. Does nothing while a run is in progress. */
  adopt(change: (conversation: Conversation) => Conversation): void {
    if (!this.busy) this.#store.change(change);
  }

  /** Deletes a notification posted before a reload, once the visitor sees the conversation. */
  resumeNotification(): void {
    this.#notify((notifier, threadId) => notifier.resume(threadId));
  }

  /** Starts to receive the thread's callback messages, where the service offers them. */
  startFollowing(): void {
    this.#subscription.start();
  }

  /** Stops receiving the thread's callback messages. */
  stopFollowing(): void {
    this.#subscription.stop();
  }

  /** Pauses receiving callback messages; `false` returns to what `startFollowing` or `stopFollowing` last set. */
  pauseFollowing(isPaused: boolean): void {
    this.#subscription.pause(isPaused);
  }

  /** Loads the thread's stored messages, with retries. Resolves with whether the first request succeeded. */
  async loadHistory(): Promise<boolean> {
    return this.#history.load();
  }

  /** Starts an empty conversation. Stops the current run. */
  newThread(): void {
    this.setThread(undefined);
  }

  /** Switches to another thread, empty until `loadHistory`; a run continues at the service. Ignores the same thread. */
  setThread(threadId: string | undefined): void {
    const { conversation } = this;
    if (threadId === conversation.threadId && (threadId !== undefined || conversation.messages.length === 0))
      return;
    if (threadId !== undefined) this.#breakOffOrphan(undefined);
    this.#turns.clear(threadId === undefined ? 'stop' : 'abort');
    this.#snapshots?.clear();
    this.#store.change(() => ({ ...emptyConversation, threadId }));
  }

  /** Stops reading, saves, and removes all listeners. Runs continue at the service. */
  dispose(): void {
    this.#turns.clear('abort');
    this.#history.cancel();
    this.#subscription.stop();
    this.#snapshots?.flush();
    this.#store.clearListeners();
  }

  #arrived(runId: string | undefined): void {
    if (this.attended) return;
    if (this.#context.settings().notifications !== false)
      this.#notify((notifier, threadId) => notifier.post(threadId, runId));
    this.#options.onNews?.();
  }

  /** Does something about the notifications of the current thread. */
  #notify(work: (notifier: Notifier, threadId: string) => void): void {
    const { threadId } = this.conversation;
    if (threadId === undefined) return;
    this.#notifier ??= import('./notifier.ts').then(
      (module) => new module.Notifier(this.#context),
      () => (this.#notifier = undefined), // tried again with the next message
    );
    void this.#notifier.then((notifier) => notifier && work(notifier, threadId));
  }

  #readNotifications(): void {
    if (this.#isAttended && this.#notifier) this.#notify((notifier, threadId) => notifier.read(threadId));
  }

  /** Marks a run that is no longer read as interrupted, until `resume`. */
  #breakOffOrphan(failure: Run['failure']): void {
    const last = this.conversation.runs.at(-1);
    if (last?.status !== 'submitted' && last?.status !== 'streaming') return;
    const at = this.#context.clock.now();
    this.#store.change((conversation) => breakOff(conversation, last.id, { failure, at }));
  }

  /** Hides a turn, but none of the later ones, and sends its message again at the end. */
  async #sendAgain(prompt: ConversationMessage): Promise<void> {
    const module = await import('./retry-turn.ts').catch(() => undefined);
    await module?.sendAgain(this.#context, this.#turns, prompt);
  }

  /** Hides a turn and all later ones, and sends its message again, perhaps with other content. */
  async #replace(messageId: string, content?: string | Message): Promise<void> {
    const module = await import('./replacement.ts').catch(() => undefined);
    await module?.replace(this.#context, this.#turns, { messageId, content });
  }
}
