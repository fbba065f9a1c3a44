import type { ConversationMessage, Run, RunFailure } from '../../conversation/conversation.ts';
import { personOf } from '../../conversation/message-properties.ts';
import { stepTitle } from '../../conversation/readable-name.ts';
import type { SessionState } from '../../session/index.ts';
import type { Strings } from './strings.ts';

/** The status line of an active run: the agent's own text, else ours. */
export function runStatusText(
  run: Run | undefined,
  words: Strings,
  ours: Trouble | 'working' | 'writing' = 'working',
): string {
  if (run?.statusLine?.text) return run.statusLine.text;
  const active = [...(run?.plan ?? []), ...(run?.steps ?? [])].findLast(({ status }) => status === 'active');
  if (active?.name) return stepTitle(active.name);
  return words.t(`status.${ours}`);
}

/** The person who wrote a message, marked as one; `undefined` for machines. */
export function personText(message: ConversationMessage | undefined, words: Strings): string | undefined {
  const name = message && personOf(message);
  return name && words.t('message.person', { name });
}

/** A sentence that says whether AI or people answer; `''` when the page turned it off. */
export function disclosureText(disclosure: 'ai' | 'human' | 'mixed' | 'off', words: Strings): string {
  return disclosure === 'off' ? '' : words.t(`disclosure.${disclosure}`);
}

/** The greeting of the welcome page, by the visitor's time of day. */
export function greetingText(now: Date, words: Strings): string {
  const hour = now.getHours();
  const time = hour >= 5 && hour < 12 ? 'morning' : hour >= 12 && hour < 18 ? 'afternoon' : 'evening';
  return words.t(`greeting.${time}`);
}

/** Longest delay that is shown as a countdown, in seconds; longer ones are shown as text. */
export const maxCountdownSeconds = 600;

/** Most characters of an author's words that are shown. */
const maxAuthorsWords = 500;

/**
 * Why a run failed, in the author's words if they are for the visitor, and when to retry if the service said so.
 * @param secondsLeft remaining seconds of that delay. Default: all.
 */
export function failureText(
  { failure, runId }: Run,
  words: Strings,
  secondsLeft: number = failure?.retryAfter ?? 0,
): string {
  if (!failure) return '';
  // a connection that broke before the run had an id received nothing
  const kind = failure.kind === 'interrupted' && runId === undefined ? 'network' : failure.kind;
  const isBusy = kind === 'busy' || (kind === 'server' && failure.retryAfter !== undefined);
  const why = failure.forVisitor
    ? failure.reason.slice(0, maxAuthorsWords)
    : words.t(isBusy ? 'notice.busy' : `failure.${kind}`);
  const when = retryText(failure, words, secondsLeft);
  // Chinese and Japanese have no space between sentences
  return [why, when].filter(Boolean).join(/^(ja|zh)/.test(words.locale) ? '' : ' ');
}

function retryText({ kind, retryAfter }: RunFailure, words: Strings, secondsLeft: number): string {
  const isVague = retryAfter === undefined ? kind === 'rate-limit' : retryAfter > maxCountdownSeconds;
  if (isVague) return words.t('notice.retry-later');
  if (secondsLeft <= 0) return '';
  if (secondsLeft <= 90) return words.t('notice.retry-seconds', { count: secondsLeft });
  return words.t('notice.retry-minutes', { count: Math.ceil(secondsLeft / 60) });
}

/** The notice of a stopped run: whether the agent may continue at the service. */
export function stoppedText({ failure, stopUnconfirmed }: Run, words: Strings): string {
  return words.t(failure || stopUnconfirmed ? 'notice.may-continue' : 'notice.stopped');
}

/**
 * State of connection, run and history, for the header. An active run has its own line in the transcript: the header
 * does not repeat it.
 */
export function headerStatusText(
  { connection, history }: SessionState,
  run: Run | undefined,
  words: Strings,
  idle: string,
): string {
  if (run?.needsReply) return words.t('status.waiting');
  const shown = connection === 'idle' ? history : connection;
  const told = shown === 'auth-needed' || shown === 'failed' ? shown : troubleOf(shown);
  return told ? words.t(`status.${told}`) : idle;
}

/** A problem with the connection during a run. */
export type Trouble = 'stalled' | 'offline' | 'resuming';

/** The problem with a connection; `''` if there is none. */
export function troubleOf(state: SessionState['connection' | 'history']): Trouble | '' {
  return state === 'stalled' || state === 'offline' || state === 'resuming' ? state : '';
}
