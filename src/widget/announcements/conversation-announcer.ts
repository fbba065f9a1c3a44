import type { Conversation, ConversationMessage, Run } from '../../conversation/conversation.ts';
import { endedBlank, hasEnded, isUnderWay } from '../../conversation/run-status.ts';
import type { ConnectionState } from '../../session/index.ts';
import { failureText, personText, runStatusText, stoppedText } from '../i18n/status-strings.ts';
import type * as ItemSpeech from './item-speech.ts';
import { debounceMs, type Announcement, type LiveAnnouncer } from './live-announcer.ts';
import { endOfSentences, joinSentences, markdownToSpeech, stripMarkdown } from './speech-text.ts';
import type { Strings } from '../i18n/strings.ts';
import type { Config } from '../config/config-table.ts';

/** What is announced of an answer: all of it when complete, each sentence, or only its start and end. */
export type AnnounceMode = Config['announce'];

/** The state that announcements are made from. */
export interface AnnouncedState {
  readonly conversation: Conversation;
  readonly connection: ConnectionState;
  readonly words: Strings;
  /** Name of the agent. */
  readonly name: string;
  readonly mode: AnnounceMode;
  /** True when the panel is open in a visible tab. */
  readonly shown: boolean;
  /** What is said of items without text of their own. Needed once `needsItemSpeech`. */
  readonly itemSpeech?: typeof ItemSpeech | undefined;
}

/** Longest answer that is announced as a whole, in characters; the visitor can read the rest in the transcript. */
const maxAnnouncedLength = 3000;
/** Maximum amount of an answer's Markdown that is converted to speech, in characters. */
const maxSourceLength = 12_000;
/** Number of recent messages and runs that are examined; older ones were announced or restored. */
const recentCount = 12;

/** Whether a recent message contains an item other than text, or a connection. */
export function needsItemSpeech({ messages }: Conversation): boolean {
  return messages
    .slice(-recentCount)
    .some(({ items, connection }) => connection ?? items.some(({ type }) => type !== 'text'));
}

/** Turns changes of a conversation into announcements, each of them once. Does not use the DOM. */
export class ConversationAnnouncer {
  readonly #announcer: Pick<LiveAnnouncer, 'announce' | 'cancel'>;
  readonly #since: number;
  #before: AnnouncedState | undefined;
  /** Ids of messages that are fully announced, or need no announcement. */
  readonly #announced = new Set<string>();
  /** For each growing message, how much of its Markdown was announced, in characters. */
  readonly #announcedLength = new Map<string, number>();
  /** Active runs, with their last known state. */
  readonly #runs = new Map<string, { readonly run: Run; readonly status: string }>();
  /** Messages that arrived while the conversation was not visible. */
  #unread: ConversationMessage[] = [];

  /** @param since in ms since the epoch; runs that started earlier are not announced */
  constructor(announcer: Pick<LiveAnnouncer, 'announce' | 'cancel'>, since: number) {
    this.#announcer = announcer;
    this.#since = since;
  }

  /**
   * Compares the state with the previous one and announces the difference. Nothing is announced for the first
   * state.
   */
  update(state: AnnouncedState): void {
    const before = this.#before;
    this.#before = state;
    const { conversation } = state;
    const known = before?.conversation;
    const threadId = known?.threadId;
    if (!known?.messages[0] || (threadId && threadId !== conversation.threadId))
      this.#markKnown(conversation);
    if (state.shown && !before?.shown) this.#catchUp(state);
    // a page may begin with an answer that is resumed
    const first = state.connection === 'resuming' ? 'idle' : state.connection;
    const connectionBefore = before?.connection ?? first;
    const isOtherConnection = connectionBefore !== state.connection;
    // when connected again, announce it before the activity
    if (isOtherConnection) this.#announceConnection(connectionBefore, state);
    if (before?.conversation !== conversation || isOtherConnection) {
      for (const run of conversation.runs.slice(-recentCount)) this.#updateRun(run, state);
      for (const message of conversation.messages.slice(-recentCount)) this.#updateMessage(message, state);
      for (const run of conversation.runs.slice(-recentCount)) this.#announceEnd(run, state);
      this.#forget(conversation);
    }
  }

  #markKnown({ messages, runs }: Conversation): void {
    this.#unread = []; // of the thread before
    // a restored run that was cut off may be resumed at once
    for (const run of runs) if (run.status === 'interrupted') this.#runs.set(run.id, { run, status: '' });
    const live = new Set(runs.filter((run) => this.#isOfThisPage(run)).map(({ id }) => id));
    for (const { id, runKey, status, createdAt } of messages) {
      // the first message, sent offline, is not announced yet
      if ((status === 'queued' || status === 'sending') && createdAt >= this.#since) continue;
      if (!live.has(runKey ?? '')) this.#announced.add(id);
    }
  }

  /** Releases older runs in a chat that stays open for days. */
  #forget({ runs }: Conversation): void {
    if (this.#runs.size <= 8 * recentCount) return;
    const kept = new Set(runs.slice(-recentCount).map(({ id }) => id));
    for (const id of this.#runs.keys()) if (!kept.has(id)) this.#runs.delete(id);
  }

  /** True for runs of this page, active or ended; of restored ones, only for those that may be resumed. */
  #isOfThisPage(run: Run): boolean {
    return this.#runs.has(run.id) || isUnderWay(run) || run.startedAt >= this.#since;
  }

  #announce(text: Announcement, slot?: string): void {
    this.#announcer.announce(text, slot);
  }

  /** Announces a run that starts, or whose activity changed. */
  #updateRun(run: Run, state: AnnouncedState): void {
    const { mode, conversation, itemSpeech, words } = state;
    if (isUnderWay(run) && this.#runs.get(run.id)?.run.startedAt !== run.startedAt) this.#beginAgain(run.id);
    const known = this.#runs.get(run.id);
    if (!this.#isOfThisPage(run)) return;
    const prompt = conversation.messages.find(({ id }) => id === run.id);
    const writing = run.openMessageId !== undefined;
    // the card says what becomes of a decision
    let status = known?.status ?? (itemSpeech?.decides(prompt) ? words.t('status.working') : '');
    const isConnected = state.connection !== 'offline' && state.connection !== 'resuming';
    const works = isUnderWay(run) && !run.needsReply && isConnected;
    if (works && prompt?.status !== 'queued') {
      const now = runStartText(run, state);
      const isNews = now !== status && (!known || (mode === 'quiet' ? !status : !writing));
      if (isNews && !itemSpeech?.isDecidedCall(run, conversation.messages))
        this.#announce((status = now), 'status');
    }
    const isUnsent = !known && run.status === 'submitted' && state.connection === 'offline';
    if (isUnsent && prompt && !prompt.hidden) this.#announceWaiting(prompt, words);
    // treat a run that is already over as if it had just ended
    const begun: Run = isUnderWay(run)
      ? run
      : { ...run, status: 'streaming', endedAt: undefined, needsReply: false };
    this.#runs.set(run.id, { run: known?.run ?? begun, status });
  }

  /** Forgets a run that is retried: its new answers have the ids of the former ones. */
  #beginAgain(runKey: string): void {
    this.#runs.delete(runKey);
    for (const ids of [this.#announced, this.#announcedLength])
      for (const id of ids.keys()) if (id.startsWith(`${runKey}-`)) ids.delete(id);
  }

  /** Announces a message that grew or was completed. */
  #updateMessage(message: ConversationMessage, state: AnnouncedState): void {
    // the same message may arrive through its run and through the thread
    if (this.#announced.has(message.id) || this.#announced.has(message.messageId ?? '')) return;
    if (message.role === 'user') {
      if (message.status === 'queued') this.#announceWaiting(message, state.words);
      return;
    }
    const run = state.conversation.runs.find(({ id }) => id === message.runKey);
    if (run && !this.#runs.has(run.id)) return;
    const hasFailed = run && endedEarly(run, state.conversation);
    const isOver = message.hidden || message.superseded || (hasFailed && hasEnded(run));
    if (isOver) this.#announced.add(message.id);
    if (isOver || hasFailed) return;
    if (message.status === 'complete') this.#announceComplete(message, state);
    else if (state.mode === 'sentence' && state.shown) this.#announceSentences(message, state);
  }

  /** Announces that a message of the visitor is not sent yet. */
  #announceWaiting({ id }: ConversationMessage, words: Strings): void {
    if (this.#announced.has(id)) return;
    this.#announced.add(id);
    this.#announce(words.t('message.queued'), 'queued');
  }

  #announceComplete(message: ConversationMessage, state: AnnouncedState): void {
    this.#announced.add(message.id);
    if (message.messageId) this.#announced.add(message.messageId);
    if (message.items.length === 0 && !message.connection) return;
    this.#announcer.cancel('status');
    if (!state.shown) {
      this.#unread.push(message);
      this.#announce(state.words.t('announce.unread', { count: this.#unread.length }), 'unread');
      return;
    }
    if (state.mode !== 'quiet') this.#announceRest(message, state);
    else if (message.runKey === undefined) this.#announce(state.words.t('announce.unread', { count: 1 }));
  }

  #announceSentences(message: ConversationMessage, { words, name }: AnnouncedState): void {
    const text = messageText(message);
    const from = this.#announcedLength.get(message.id) ?? 0;
    const end = endOfSentences(text, from);
    if (end <= from) return;
    this.#announcedLength.set(message.id, end);
    const spoken = stripMarkdown(markdownToSpeech(text.slice(from, end), words));
    if (spoken) this.#announce(from === 0 ? words.t('announce.answer', { name, text: spoken }) : spoken);
  }

  /** Announces the remaining text of a completed message, and that it asks for a decision. */
  #announceRest(message: ConversationMessage, state: AnnouncedState): void {
    const { words, name, itemSpeech } = state;
    const from = this.#announcedLength.get(message.id) ?? 0;
    this.#announcedLength.delete(message.id);
    const isAsking = itemSpeech?.asksForDecision(message);
    this.#announce(() => {
      const text = restToSpeech(message, from, state);
      if (!text || from > 0) return text;
      const introduced = isAsking ? 'announce.question' : 'announce.answer';
      return words.t(introduced, { name: personText(message, words) ?? name, text });
    });
    if (isAsking) this.#announceQuestion(message.runKey, words);
  }

  #announceQuestion(runKey: string | undefined, words: Strings): void {
    const text = words.t('status.waiting');
    const known = this.#runs.get(runKey ?? '');
    if (known) this.#runs.set(known.run.id, { ...known, status: text });
    this.#announce(() => {
      const run = this.#runs.get(runKey ?? '')?.run;
      // the page runs the tool that it was asked for: the visitor has nothing to answer
      return run && !run.needsReply && run.status !== 'streaming' ? '' : text;
    }, 'status');
  }

  /** Announces that a run asks for a reply or has ended. */
  #announceEnd(run: Run, state: AnnouncedState): void {
    const { words, mode, shown } = state;
    const known = this.#runs.get(run.id);
    if (!known || known.run === run) return;
    // wait until it is known whether the answer continues
    if (run.status === 'interrupted' && state.connection === 'resuming') return;
    const { run: before, status } = known;
    this.#runs.set(run.id, { run, status });
    const isAsked = status === words.t('status.waiting');
    if (run.needsReply && !before.needsReply && !isAsked) this.#announceQuestion(run.id, words);
    if (run.endedAt === undefined) return;
    if (run.status === 'cancelled') {
      // once a stop was announced, the service's confirmation does not need another announcement
      const isAnnounced = before.status === 'cancelled';
      const isOther = run.stopUnconfirmed !== before.stopUnconfirmed;
      if (!isAnnounced || (isOther && Date.now() - run.endedAt < debounceMs))
        this.#announce(stoppedText(run, words), 'status');
      return;
    }
    if (before.endedAt === run.endedAt) return;
    if (endedEarly(run, state.conversation)) this.#announce(failureText(run, words), 'status');
    else if (isUnanswered(run, state)) this.#announce(words.t('notice.no-answer'), 'status');
    else if (run.needsReply || isAsked) return;
    else if (mode !== 'answer' && shown) this.#announce(words.t('announce.done'), 'status');
    else if (run === state.conversation.runs.at(-1)) this.#announcer.cancel('status');
  }

  /** Announces unread messages when the conversation becomes visible. */
  #catchUp(state: AnnouncedState): void {
    const messages = this.#unread;
    this.#unread = [];
    if (state.mode === 'quiet') return;
    for (const message of messages) this.#announceRest(message, state);
  }

  #announceConnection(before: ConnectionState, { connection, words }: AnnouncedState): void {
    if (connection === 'offline') {
      this.#announcer.cancel('status'); // no activity while offline
      this.#announce(words.t('announce.offline'), 'connection');
    } else if (connection === 'stalled' || connection === 'resuming')
      this.#announce(words.t(`status.${connection}`), 'connection');
    else if (
      (before === 'offline' || before === 'resuming') &&
      connection !== 'failed' &&
      connection !== 'auth-needed' &&
      // a loss that is over before it was announced is not news
      !this.#announcer.cancel('connection')
    )
      this.#announce(words.t('announce.reconnected'), 'connection');
  }
}

/** True for runs whose end has its own announcement; the partial text can be read in the transcript. */
function endedEarly({ id, status, failure }: Run, { messages }: Conversation): boolean {
  // only developers see an error that came before a complete answer
  const isAnswered =
    status === 'completed' &&
    messages.some(({ runKey, role, items }) => runKey === id && role !== 'user' && items.length > 0);
  return status === 'cancelled' || (failure !== undefined && !isAnswered);
}

/** True when the run completed without visible content, after a visible prompt. */
function isUnanswered(run: Run, { conversation: { messages } }: AnnouncedState): boolean {
  const isShown = messages.some(({ id, hidden }) => id === run.id && !hidden);
  const answers = messages.filter(
    ({ id, runKey, hidden, superseded }) => runKey === run.id && id !== run.id && !hidden && !superseded,
  );
  return isShown && endedBlank(run, answers);
}

/** What is said of a message from an index of its text on, shortened. */
function restToSpeech(
  message: ConversationMessage,
  from: number,
  { words, itemSpeech }: AnnouncedState,
): string {
  const all = messageText(message).slice(from);
  const rest = all.slice(0, maxSourceLength);
  // after sentences, only the rest of the text, and then the other items
  const parts = itemSpeech?.partsToSpeech(message, words, from > 0 ? 0 : maxSourceLength) ?? '';
  const spoken = from > 0 || !itemSpeech ? markdownToSpeech(rest, words) : '';
  return shortened(joinSentences([from > 0 ? stripMarkdown(spoken) : spoken, parts]), words, rest !== all);
}

function messageText({ items }: ConversationMessage): string {
  return items
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n');
}

function shortened(text: string, words: Strings, isCut: boolean): string {
  if (text.length <= maxAnnouncedLength && !isCut) return text;
  const end = endOfSentences(text.slice(0, maxAnnouncedLength), 0) || maxAnnouncedLength;
  return `${text.slice(0, end).trim()} ${words.t('announce.rest')}`;
}

/** The announcement for an active run: its current activity, or only that it is active. */
function runStartText(run: Run, { mode, words, name }: AnnouncedState): string {
  return mode === 'quiet' ? words.t('announce.started', { name }) : runStatusText(run, words);
}
