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

/** Longest answer that is read out whole, in characters; the rest is left to reading the conversation. */
const longest = 3000;
/** How much of an answer's Markdown is read for that, in characters. */
const longestRead = 12_000;
/** How many of the newest messages and runs are looked at: older ones were spoken or were there before. */
const recent = 12;
const trouble: ReadonlySet<ConnectionState> = new Set(['stalled', 'offline', 'resuming']);

/** Where a narrator takes up. */
export interface AnnouncerStart {
  /** Milliseconds since the epoch; runs from before are not told of. */
  readonly since: number;
  /** What was said of the first run already. */
  readonly told: string;
}

/** Turns what becomes true of a conversation into what is said of it, each thing once. No DOM. */
export class ConversationAnnouncer {
  readonly #announcer: Pick<LiveAnnouncer, 'announce' | 'cancel'>;
  readonly #since: number;
  /** What was said of the first run already; `''` once that run was looked at. */
  #told: string;
  #before: AnnouncedState | undefined;
  /** Messages that need no more words. */
  readonly #spoken = new Set<string>();
  /** How far each growing message was read, in characters of its Markdown. */
  readonly #read = new Map<string, number>();
  /** Runs that were seen under way, as they were last seen. */
  readonly #runs = new Map<string, { readonly run: Run; readonly status: string }>();
  /** Came while nobody was looking. */
  #unread: ConversationMessage[] = [];

  constructor(announcer: Pick<LiveAnnouncer, 'announce' | 'cancel'>, start: AnnouncerStart) {
    this.#announcer = announcer;
    this.#since = start.since;
    this.#told = start.told;
  }

  /** Looks at what is true now. What was true at the first look is never spoken. */
  update(scene: AnnouncedState): void {
    const before = this.#before;
    this.#before = scene;
    const { conversation } = scene;
    const fresh = !before || before.conversation.messages.length === 0;
    const other = before && before.conversation.threadId !== conversation.threadId;
    if (fresh || (other && before.conversation.threadId !== undefined)) this.#takeAsKnown(conversation);
    if (scene.shown && !before?.shown) this.#catchUp(scene);
    const isOtherConnection = before !== undefined && before.connection !== scene.connection;
    // back online: first that it is back, then what is worked on
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
      // the first that has to wait is why the narrator was fetched: nobody has told of it yet
      if (status === 'queued' && createdAt >= this.#since) continue;
      if (runKey === undefined || !live.has(runKey)) this.#spoken.add(id);
    }
  }

  /** What is no longer looked at need not be remembered: a chat may stand open for days. */
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

  /** A run of this visit, be it over already; not one that was restored. */
  #concerns(run: Run): boolean {
    return isUnderWay(run) || run.startedAt >= this.#since;
  }

  #say(text: string, slot?: string): void {
    this.#announcer.announce(text, slot);
  }

  /** A run that begins, or works on something else than before. */
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
    // one that is over already is told of as if it had just ended
    const begun: Run = isUnderWay(run)
      ? run
      : { ...run, status: 'streaming', endedAt: undefined, needsReply: false };
    this.#runs.set(run.id, { run: known?.run ?? begun, status });
  }

  /** A message that grew or is complete. */
  #hear(message: ConversationMessage, scene: AnnouncedState): void {
    // the same message may come by its run and by the thread
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

  /** What was not read yet of a message that is complete. */
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

  /** A run that asks for a reply or is over. */
  #conclude(run: Run, scene: AnnouncedState): void {
    const { words, mode, shown } = scene;
    const known = this.#runs.get(run.id);
    if (!known || known.run === run) return;
    const { run: before, status } = known;
    this.#runs.set(run.id, { run, status });
    if (run.needsReply && !before.needsReply) this.#say(words.t('status.waiting'), 'status');
    if (run.endedAt === undefined) return;
    if (run.status === 'cancelled') {
      // once a Stop was told, what the service says of it later stands to be read
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

  /** What came while nobody was looking, once somebody does. */
  #catchUp(scene: AnnouncedState): void {
    const messages = this.#unread;
    this.#unread = [];
    if (scene.mode === 'quiet') return;
    for (const message of messages) this.#sayRest(message, scene);
  }

  #tellConnection(before: ConnectionState, { connection, words }: AnnouncedState): void {
    if (connection === 'offline') this.#announcer.cancel('status'); // nothing is worked on until it is back
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

/** Ended in a way that is said by itself: the partial text stands there to be read. */
function broken({ status, failure }: Run): boolean {
  return status === 'cancelled' || failure !== undefined;
}

/** Completed without anything to read, after a prompt that the visitor sees. */
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
