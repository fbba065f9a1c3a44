import type { Conversation, ConversationMessage, Run } from '../../conversation/conversation.ts';
import { endedBlank, hasEnded, isUnderWay } from '../../conversation/run-status.ts';
import type { ConnectionState } from '../../session/index.ts';
import { failureText, stoppedText } from '../i18n/status-strings.ts';
import { debounce, type LiveAnnouncer } from './live-announcer.ts';
import { runStartText, type AnnouncedState } from './announced-state.ts';
import {
  endOfSentences,
  joinSentences,
  itemToSpeech,
  markdownToSpeech,
  stripMarkdown,
} from './speech-text.ts';
import type { Strings } from '../i18n/strings.ts';

/** Longest answer that is announced as a whole, in characters; the visitor can read the rest in the transcript. */
const longest = 3000;
/** Maximum amount of an answer's Markdown that is converted to speech, in characters. */
const longestRead = 12_000;
/** Number of recent messages and runs that are examined; older ones were announced or restored. */
const recent = 12;
const trouble: ReadonlySet<ConnectionState> = new Set(['stalled', 'offline', 'resuming']);

/** State that an announcer starts from. */
export interface AnnouncerStart {
  /** In ms since the epoch; runs that started earlier are not announced. */
  readonly since: number;
  /** What was already announced of the first run. */
  readonly told: string;
}

/** Turns changes of a conversation into announcements, each of them once. Does not use the DOM. */
export class ConversationAnnouncer {
  readonly #announcer: Pick<LiveAnnouncer, 'announce' | 'cancel'>;
  readonly #since: number;
  /** What was already announced of the first run; `''` once that run was examined. */
  #told: string;
  #before: AnnouncedState | undefined;
  /** Ids of messages that are fully announced, or need no announcement. */
  readonly #spoken = new Set<string>();
  /** For each growing message, how much of its Markdown was announced, in characters. */
  readonly #read = new Map<string, number>();
  /** Active runs, with their last known state. */
  readonly #runs = new Map<string, { readonly run: Run; readonly status: string }>();
  /** Messages that arrived while the conversation was not visible. */
  #unread: ConversationMessage[] = [];

  constructor(announcer: Pick<LiveAnnouncer, 'announce' | 'cancel'>, start: AnnouncerStart) {
    this.#announcer = announcer;
    this.#since = start.since;
    this.#told = start.told;
  }

  /**
   * Compares the state with the previous one and announces the difference. Nothing is announced for the first
   * state.
   */
  update(scene: AnnouncedState): void {
    const before = this.#before;
    this.#before = scene;
    const { conversation } = scene;
    const fresh = !before || before.conversation.messages.length === 0;
    const other = before && before.conversation.threadId !== conversation.threadId;
    if (fresh || (other && before.conversation.threadId !== undefined)) this.#takeAsKnown(conversation);
    if (scene.shown && !before?.shown) this.#catchUp(scene);
    const isOtherConnection = before !== undefined && before.connection !== scene.connection;
    // when back online, announce the connection before the activity
    if (isOtherConnection && before.connection === 'offline') this.#tellConnection(before.connection, scene);
    if (before?.conversation !== conversation) {
      for (const run of conversation.runs.slice(-recent)) this.#look(run, scene);
      for (const message of conversation.messages.slice(-recent)) this.#hear(message, scene);
      for (const run of conversation.runs.slice(-recent)) this.#conclude(run, scene);
      this.#forget(conversation);
    }
    if (isOtherConnection && before.connection !== 'offline') this.#tellConnection(before.connection, scene);
  }

  #takeAsKnown({ messages, runs }: Conversation): void {
    const live = new Set(runs.filter((run) => this.#concerns(run)).map(({ id }) => id));
    for (const { id, runKey, status, createdAt } of messages) {
      // this module loads because of the first queued message, which is not announced yet
      if (status === 'queued' && createdAt >= this.#since) continue;
      if (runKey === undefined || !live.has(runKey)) this.#spoken.add(id);
    }
  }

  /** Limits the memory of an announcer in a chat that stays open for days. */
  #forget({ runs, messages }: Conversation): void {
    if (this.#runs.size > 8 * recent) {
      const kept = new Set(runs.slice(-recent).map(({ id }) => id));
      for (const id of this.#runs.keys()) if (!kept.has(id)) this.#runs.delete(id);
    }
    if (this.#spoken.size + this.#read.size > 64 * recent + messages.length) {
      const kept = new Set(messages.map(({ id }) => id));
      for (const id of this.#spoken) if (!kept.has(id)) this.#spoken.delete(id);
      for (const id of this.#read.keys()) if (!kept.has(id)) this.#read.delete(id);
    }
  }

  /** True for runs of this page, active or ended; false for restored ones. */
  #concerns(run: Run): boolean {
    return isUnderWay(run) || run.startedAt >= this.#since;
  }

  #say(text: string, slot?: string): void {
    this.#announcer.announce(text, slot);
  }

  /** Announces a run that starts, or whose activity changed. */
  #look(run: Run, scene: AnnouncedState): void {
    const { mode, conversation } = scene;
    const known = this.#runs.get(run.id);
    if (!known && !this.#concerns(run)) return;
    const waits = conversation.messages.find(({ id }) => id === run.promptId)?.status === 'queued';
    const writing = run.openMessageId !== undefined;
    let status = known?.status ?? this.#told;
    this.#told = '';
    const works = isUnderWay(run) && !run.needsReply && scene.connection !== 'offline';
    if (works && !waits) {
      const now = runStartText(run, scene);
      if (now !== status && (!known || (mode !== 'quiet' && !writing))) this.#say((status = now), 'status');
    }
    // treat a run that is already over as if it had just ended
    const begun: Run = isUnderWay(run)
      ? run
      : { ...run, status: 'streaming', endedAt: undefined, needsReply: false };
    this.#runs.set(run.id, { run: known?.run ?? begun, status });
  }

  /** Announces a message that grew or was completed. */
  #hear(message: ConversationMessage, scene: AnnouncedState): void {
    // the same message may arrive through its run and through the thread
    if (this.#spoken.has(message.id) || this.#spoken.has(message.messageId ?? '')) return;
    if (message.role === 'user') {
      if (message.status !== 'queued') return;
      this.#spoken.add(message.id);
      this.#say(scene.words.t('message.queued'), 'queued');
      return;
    }
    const run = scene.conversation.runs.find(({ id }) => id === message.runKey);
    if (run && !this.#runs.has(run.id)) return;
    const isOver = message.hidden || message.superseded || (run && broken(run) && hasEnded(run));
    if (isOver) this.#spoken.add(message.id);
    if (isOver || (run && broken(run))) return;
    if (message.status === 'complete') this.#hearWhole(message, scene);
    else if (scene.mode === 'sentence' && scene.shown) this.#hearPart(message, scene);
  }

  #hearWhole(message: ConversationMessage, scene: AnnouncedState): void {
    this.#spoken.add(message.id);
    if (message.messageId) this.#spoken.add(message.messageId);
    if (message.items.length === 0) return;
    this.#announcer.cancel('status');
    if (!scene.shown) {
      this.#unread.push(message);
      this.#say(scene.words.t('announce.unread', { count: this.#unread.length }), 'unread');
      return;
    }
    if (scene.mode !== 'quiet') this.#sayRest(message, scene);
    else if (message.runKey === undefined) this.#say(scene.words.t('announce.unread', { count: 1 }));
  }

  #hearPart(message: ConversationMessage, { words, name }: AnnouncedState): void {
    const text = messageText(message);
    const from = this.#read.get(message.id) ?? 0;
    const end = endOfSentences(text, from);
    if (end <= from) return;
    this.#read.set(message.id, end);
    const spoken = stripMarkdown(markdownToSpeech(text.slice(from, end), words));
    if (spoken) this.#say(from === 0 ? words.t('announce.answer', { name, text: spoken }) : spoken);
  }

  /** Announces the remaining text of a completed message. */
  #sayRest(message: ConversationMessage, { words, name }: AnnouncedState): void {
    const from = this.#read.get(message.id) ?? 0;
    this.#read.delete(message.id);
    const all = messageText(message).slice(from);
    const rest = all.slice(0, longestRead);
    const parts = message.items.filter(({ text }) => !text).map((item) => itemToSpeech(item, words));
    const whole = [
      from > 0 ? stripMarkdown(markdownToSpeech(rest, words)) : markdownToSpeech(rest, words),
      ...parts,
    ];
    const text = shortened(joinSentences(whole), words, rest !== all);
    if (text) this.#say(from === 0 ? words.t('announce.answer', { name, text }) : text);
  }

  /** Announces that a run asks for a reply or has ended. */
  #conclude(run: Run, scene: AnnouncedState): void {
    const { words, mode, shown } = scene;
    const known = this.#runs.get(run.id);
    if (!known || known.run === run) return;
    const { run: before, status } = known;
    this.#runs.set(run.id, { run, status });
    if (run.needsReply && !before.needsReply) this.#say(words.t('status.waiting'), 'status');
    if (run.endedAt === undefined) return;
    if (run.status === 'cancelled') {
      // once a stop was announced, the service's confirmation does not need another announcement
      const isTold = before.status === 'cancelled';
      const isOther = run.stopUnconfirmed !== before.stopUnconfirmed;
      if (!isTold || (isOther && Date.now() - run.endedAt < debounce))
        this.#say(stoppedText(run, words), 'status');
      return;
    }
    if (before.endedAt !== undefined) return;
    if (run.failure) this.#say(failureText(run, words), 'status');
    else if (isUnanswered(run, scene)) this.#say(words.t('notice.no-answer'), 'status');
    else if (mode !== 'answer' && shown) this.#say(words.t('announce.done'), 'status');
  }

  /** Announces unread messages when the conversation becomes visible. */
  #catchUp(scene: AnnouncedState): void {
    const messages = this.#unread;
    this.#unread = [];
    if (scene.mode === 'quiet') return;
    for (const message of messages) this.#sayRest(message, scene);
  }

  #tellConnection(before: ConnectionState, { connection, words }: AnnouncedState): void {
    if (connection === 'offline') this.#announcer.cancel('status'); // no activity while offline
    if (connection === 'offline') this.#say(words.t('announce.offline'), 'connection');
    else if (connection === 'stalled' || connection === 'resuming')
      this.#say(words.t(`status.${connection}`), 'connection');
    else if (
      trouble.has(before) &&
      before !== 'stalled' &&
      connection !== 'failed' &&
      connection !== 'auth-needed'
    )
      this.#say(words.t('announce.reconnected'), 'connection');
  }
}

/** True for runs whose end has its own announcement; the partial text can be read in the transcript. */
function broken({ status, failure }: Run): boolean {
  return status === 'cancelled' || failure !== undefined;
}

/** True when the run completed without visible content, after a visible prompt. */
function isUnanswered(run: Run, { conversation: { messages } }: AnnouncedState): boolean {
  const isShown = messages.some(({ id, hidden }) => id === run.promptId && !hidden);
  const answers = messages.filter(
    ({ id, runKey, hidden, superseded }) =>
      runKey === run.id && id !== run.promptId && !hidden && !superseded,
  );
  return isShown && endedBlank(run, answers);
}

function messageText({ items }: ConversationMessage): string {
  return items
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n');
}

function shortened(text: string, words: Strings, isCut: boolean): string {
  if (text.length <= longest && !isCut) return text;
  const end = endOfSentences(text.slice(0, longest), 0) || longest;
  return `${text.slice(0, end).trim()} ${words.t('announce.rest')}`;
}
