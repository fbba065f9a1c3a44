import type { AgentClient, WireDiagnostic } from '../client/agent-client.ts';
import {
  answerTo,
  breakOff,
  emptyConversation,
  findMessage,
  findRun,
  hasEnded,
  interruption,
  recordAnswer,
  recordFeedback,
  supersedeFrom,
  wasRefused,
} from '../conversation/index.ts';
import type { Conversation, ConversationMessage, Feedback, ItemAnswer } from '../conversation/index.ts';
import { nameOf } from '../conversation/read-values.ts';
import type { ContentItem, Message } from '../protocol/index.ts';
import { platformClock } from './clock.ts';
import { ConversationStore } from './conversation-store.ts';
import { Notifier } from './notifier.ts';
import { parentBefore, promptOf, promptOfTurn } from './prompts.ts';
import { lacksToken } from './run-failure.ts';
import type { ChatSessionOptions, ConnectionState, SendInput } from './session-settings.ts';
import { SnapshotKeeper } from './snapshot-writer.ts';
import { ThreadHistory, type HistoryState } from './thread-history.ts';
import { ThreadFollower } from './thread-subscription.ts';
import type { TurnHost } from './session-context.ts';
import { TurnQueue } from './turn-queue.ts';

/**
 * Keeps one conversation true: sends, queues, stops, repeats, takes up what broke. No DOM. Whatever goes wrong becomes
 * state (`conversation`, `connection`); no method throws for it.
 */
export class ChatSession {
  readonly #options: ChatSessionOptions;
  readonly #store: ConversationStore;
  readonly #host: TurnHost;
  readonly #turns: TurnQueue;
  readonly #keeper: SnapshotKeeper | undefined;
  readonly #notifier: Notifier;
  readonly #follower: ThreadFollower;
  readonly #history: ThreadHistory;
  /** The service has shown that it keeps threads: it gave a history, or lets one be followed. */
  #keepsThreads = false;

  constructor(options: ChatSessionOptions) {
    this.#options = options;
    const diagnose = (diagnostic: WireDiagnostic): void => survive(() => options.onDiagnostic?.(diagnostic));
    const { storage } = options;
    const stored = options.initial ?? (storage && SnapshotKeeper.load(storage, diagnose));
    this.#store = new ConversationStore(stored ?? emptyConversation);
    this.#host = {
      store: this.#store,
      clock: options.clock ?? platformClock,
      client: () => this.#client,
      // Who keeps threads runs no turn twice. @assumed of our own service, the only one seen to offer it
      settings: () => (this.#keepsThreads ? { resumable: true, ...options.settings() } : options.settings()),
      online: () => options.online?.() ?? true,
      diagnose,
      runEvent: (event, runKey) => {
        survive(
          () => options.onRunEvent?.(event, runKey),
          (message) => {
            diagnose({ code: 'host-callback-failed', message: `onRunEvent threw: ${message}` });
          },
        );
      },
      connectionChanged: () => this.#store.announce(),
    };
    this.#keeper = storage && new SnapshotKeeper(this.#host, storage);
    this.#notifier = new Notifier(this.#host);
    this.#follower = new ThreadFollower(this.#host, {
      opened: () => {
        this.#keepsThreads = true;
      },
      arrived: () => {
        this.#arrived(undefined);
        options.onCallback?.();
      },
    });
    this.#history = new ThreadHistory(this.#host, (attempt) => {
      this.#keepsThreads = true;
      if (attempt > 0) options.onHistory?.();
    });
    this.#turns = new TurnQueue(this.#host, (run) => {
      if (run.status !== 'cancelled' && run.route === 'run') this.#arrived(run.runId);
      this.#keeper?.flush();
    });
    this.#store.subscribe(() => {
      this.#keeper?.changed();
      this.#follower.threadChanged();
      this.#notifier.threadChanged();
    });
  }

  get conversation(): Conversation {
    return this.#store.conversation;
  }

  get connection(): ConnectionState {
    const { current } = this.#turns;
    if (current) return current.connection;
    if (!this.#host.online()) return 'offline';
    switch (this.conversation.runs.at(-1)?.failure?.kind) {
      case undefined:
      case 'run':
      case 'expired':
      case 'guardrail':
        return 'idle';
      case 'auth':
        return 'auth-needed';
      default:
        return 'failed';
    }
  }

  /** Whether the stored messages of the thread are still to come. */
  get history(): HistoryState {
    return this.#history.state;
  }

  /** Whether a turn, the thread's callback messages or its history wait for another token. */
  get needsToken(): boolean {
    const isLacking = (!this.busy && lacksToken(this.conversation)) || this.history === 'auth-needed';
    return isLacking || this.#follower.needsToken;
  }

  /** Whether `stop` would stop something. */
  get canStop(): boolean {
    return this.#turns.stoppable !== undefined;
  }

  /** Whether a run is on, so that what is sent now is queued. False while the agent waits for the visitor. */
  get busy(): boolean {
    return this.#turns.current !== undefined;
  }

  /** Whether the visitor sees the conversation. Set by who shows it; what arrives unattended is posted as a notification. */
  get attended(): boolean {
    return this.#notifier.isAttended;
  }

  set attended(isAttended: boolean) {
    this.#notifier.isAttended = isAttended;
  }

  /**
   * Calls back after every change, synchronously.
   * @returns takes the listener away
   */
  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener);
  }

  /**
   * Says something: at once, or after the run that is on. Nothing to say, nothing sent.
   * @returns resolves when the turn has ended, any way, or is the visitor's again
   */
  async send(
    prompt: string | readonly ContentItem[] | SendInput,
    options?: { readonly silent?: boolean },
  ): Promise<void> {
    const input: SendInput = typeof prompt === 'string' || isItems(prompt) ? { content: prompt } : prompt;
    const silent = options?.silent ?? input.silent;
    const made = promptOf({ ...input, silent }, this.#host.clock.uuid());
    if (made) await this.#turns.add(made);
  }

  /** Stops the run that is on: keeps what came, and cancels at the service when it can. Never throws. */
  async stop(): Promise<void> {
    await this.#turns.stoppable?.stop();
  }

  /**
   * Repeats a turn. One that broke on the way keeps its `client_message_id`, so that no service of ours runs it twice;
   * one that the service itself ended takes the old one's place under a new id. Nothing while a run is on.
   * @param runKey default: the last run
   */
  async retry(runKey?: string): Promise<void> {
    const run = runKey === undefined ? this.conversation.runs.at(-1) : findRun(this.conversation, runKey);
    // what has its answer, or waits for the visitor's, is not said a second time
    if (!run || run.status === 'completed' || run.status === 'waiting' || this.busy) return;
    if (run.status === 'interrupted' && run.runId !== undefined) {
      await this.#turns.start(run.id, { by: 'take-up', orRepost: true });
      return;
    }
    const isOver = hasEnded(run) && (run.runId !== undefined || run.status === 'cancelled');
    const afresh = isOver ? this.#host.clock.uuid() : undefined;
    await this.#turns.start(run.id, { by: 'repost', afresh });
  }

  /** Asks for another answer to the same words. The old turn, and what followed it, is kept but no longer shown. */
  async regenerate(messageId: string): Promise<void> {
    const prompt = promptOfTurn(this.conversation, messageId);
    if (prompt) await this.#replace(prompt);
  }

  /**
   * Says something else in the place of a message. The old turn, and what followed it, is kept but no longer shown.
   * @param content other words; or the whole message that goes out instead
   */
  async edit(messageId: string, content: string | Message): Promise<void> {
    const prompt = promptOfTurn(this.conversation, messageId);
    const isWords = typeof content === 'string';
    const made = promptOf(isWords ? { content } : { content: content.content ?? [], message: content }, '');
    if (!prompt || !made) return;
    const words = isWords ? { items: made.items, displayText: undefined } : made;
    await this.#replace({ ...prompt, ...words, role: made.role ?? 'user', id: prompt.id });
  }

  /** Takes a message back that still waits for its turn. */
  removeQueued(messageId: string): void {
    this.#turns.remove(messageId);
  }

  /**
   * Answers a form or an option: the answer is read-only from then on, and goes out as a new run, or to the thread's
   * callback where the host wants that. One that the service refused as it is may be given anew.
   * @param message further fields of the message that carries the answer
   */
  async answer(
    messageId: string,
    itemId: string,
    answer: ItemAnswer,
    message?: Partial<Message>,
  ): Promise<void> {
    const asked = findMessage(this.conversation, messageId);
    // what lies inside a card is known only to what shows it: its answer comes whole
    const inner = message?.content && { id: itemId, type: '', text: '', source: {} };
    const item = asked?.items.find((candidate) => candidate.id === itemId) ?? inner;
    if (!asked || !item || answerTo(asked, itemId)) return;
    const record = (given: ItemAnswer | undefined): void =>
      this.#store.change((conversation) => recordAnswer(conversation, messageId, itemId, given));
    record(answer);
    const input = await import('./answer-message.ts').then(
      (part) => part.answerInput(asked, item, answer, message),
      () => undefined,
    );
    // meanwhile another thread may be shown
    if (findMessage(this.conversation, messageId)?.answers[itemId] !== answer) return;
    const made = input && promptOf(input, this.#host.clock.uuid());
    if (!made) return record(undefined);
    const wantsCallback = answer.action !== 'choose' && this.#host.settings().formSubmit === 'callback';
    const isCallback = wantsCallback && this.conversation.threadId !== undefined;
    await this.#turns.add(made, isCallback ? 'callback' : 'run');
    // what was not taken may be answered otherwise
    if (wasRefused(findRun(this.conversation, made.id))) record(undefined);
  }

  /** Notes what the visitor thinks of an answer; it goes out with the next message. */
  feedback(messageId: string, itemId: string | undefined, feedback: Feedback): void {
    const message = findMessage(this.conversation, messageId);
    const item = message?.items.find((candidate) => candidate.id === itemId) ?? message?.items[0];
    const key = nameOf(item?.source.id) ?? item?.id ?? messageId;
    this.#store.change((conversation) => recordFeedback(conversation, messageId, key, feedback));
  }

  /**
   * Goes on after an interruption, after being offline, after a reload, or once there is a token again. Never posts a
   * turn a second time that may have begun, unless the host vouches for the service (`resumable`).
   */
  async resume(): Promise<void> {
    this.#follower.wake();
    this.#history.wake();
    if (!this.busy) this.#breakOffOrphan();
    const last = this.conversation.runs.at(-1);
    const isBroken = last?.status === 'interrupted' && !this.busy;
    if (last && isBroken && last.runId !== undefined) {
      await this.#turns.start(last.id, { by: 'take-up' });
    } else if (last && isBroken && this.#host.settings().resumable === true) {
      await this.#turns.start(last.id, { by: 'repost' });
    } else if (last && lacksToken(this.conversation) && !this.busy) {
      await this.#turns.start(last.id, { by: 'repost' });
    } else this.#turns.goOn();
  }

  /** Stops reading, and saves. Runs go on at the service; `resume` takes them up. */
  suspend(): void {
    this.#follower.stop();
    this.#history.cancel();
    this.#turns.suspend();
    this.#breakOffOrphan();
    this.#keeper?.flush();
  }

  /** Saves now what is not saved yet: the page may be gone any moment. */
  save(): void {
    this.#keeper?.flush();
  }

  /** Takes over what is known elsewhere of the same conversation, in another tab say. Nothing while a run is on here. */
  adopt(change: (conversation: Conversation) => Conversation): void {
    if (!this.busy) this.#store.change(change);
  }

  /** A notification of an earlier visit may stand: it is deleted once the conversation is read. */
  recallNotification(): void {
    this.#notifier.recall();
  }

  /** Follows the thread's callback messages from now on, where the service offers them. */
  startFollowing(): void {
    this.#follower.start();
  }

  /** Stops following the thread's callback messages. */
  stopFollowing(): void {
    this.#follower.stop();
  }

  /**
   * Loads the thread's stored messages and merges them. After a failure it is repeated with backoff; see `history`.
   * @returns whether the first request brought them
   */
  async loadHistory(): Promise<boolean> {
    return this.#history.load();
  }

  /** Begins an empty conversation; a run that is on is stopped. */
  newThread(): void {
    this.setThread(undefined);
  }

  /** Turns to another thread, empty until `loadHistory`; a run that is on is stopped. The same thread: nothing. */
  setThread(threadId: string | undefined): void {
    const { conversation } = this;
    if (threadId === conversation.threadId && (threadId !== undefined || conversation.messages.length === 0))
      return;
    this.#turns.clear('stop');
    this.#history.cancel();
    this.#keeper?.clear();
    this.#store.change(() => ({ ...emptyConversation, threadId }));
  }

  /** Stops reading, saves, and lets everything go. Runs go on at the service. */
  dispose(): void {
    this.#turns.clear('abort');
    this.#history.cancel();
    this.#follower.stop();
    this.#keeper?.flush();
    this.#store.clearListeners();
  }

  get #client(): AgentClient {
    const { client } = this.#options;
    return typeof client === 'function' ? client() : client;
  }

  #arrived(runId: string | undefined): void {
    this.#notifier.arrived(runId);
    if (!this.attended) this.#options.onNews?.();
  }

  /** A run that nobody here reads any more is broken, until it is taken up. */
  #breakOffOrphan(): void {
    const last = this.conversation.runs.at(-1);
    if (last?.status !== 'submitted' && last?.status !== 'streaming') return;
    const options = { failure: interruption(''), at: this.#host.clock.now() };
    this.#store.change((conversation) => breakOff(conversation, last.id, options));
  }

  /** The new turn follows what the old one followed; the first of a thread takes the old one's place by its id. */
  async #replace(prompt: ConversationMessage): Promise<void> {
    const parentMessageId = parentBefore(this.conversation, prompt.id) ?? prompt.messageId;
    const id = this.#host.clock.uuid();
    const { items, role, mentions, documentIds, displayText, hidden } = prompt;
    const { additionalProperties, messageState, extras } = prompt;
    const { busy } = this;
    this.#store.change((conversation) => supersedeFrom(conversation, prompt.id));
    const over = this.#turns.add({
      items,
      role,
      mentions,
      documentIds,
      displayText,
      hidden,
      additionalProperties,
      messageState,
      extras,
      id,
      clientMessageId: id,
      parentMessageId,
    });
    if (busy) void this.stop(); // what replaces it is the first of what waits
    await over;
  }
}

function isItems(prompt: readonly ContentItem[] | SendInput): prompt is readonly ContentItem[] {
  return Array.isArray(prompt);
}

/** A host's own callback must not cost the visitor the answer. */
function survive(callback: () => void, failed?: (message: string) => void): void {
  try {
    callback();
  } catch (error) {
    failed?.(error instanceof Error ? error.message : String(error));
  }
}
