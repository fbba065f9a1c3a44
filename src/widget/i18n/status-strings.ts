import type { Run, RunFailure } from '../../conversation/conversation.ts';
import type { ConnectionState, SessionState } from '../../session/index.ts';
import type { Strings } from './strings.ts';

/** The one quiet line of a run that is on: the agent's own words, else ours. `writing`: words of the answer are coming in. */
export function runStatusText(run: Run | undefined, words: Strings, writing = false): string {
  if (run?.statusLine?.text) return run.statusLine.text;
  const active = run?.steps.findLast((step) => step.status === 'active');
  if (active?.name) return active.name;
  return words.t(writing ? 'status.writing' : 'status.working');
}

/** Longest wait that is counted down, in seconds; after a longer one nobody watches the clock. */
export const maxCountdownSeconds = 600;

/**
 * Why a run failed, and when to try again where the service said so.
 * @param secondsLeft Seconds of that wait which are left. Default: all.
 */
export function failureText(
  { failure, runId }: Run,
  words: Strings,
  secondsLeft: number = failure?.retryAfter ?? 0,
): string {
  if (!failure) return '';
  const isBusy = failure.kind === 'server' && failure.retryAfter !== undefined;
  // a connection that broke before the run had an id has brought nothing that could be kept
  const kind = failure.kind === 'interrupted' && runId === undefined ? 'network' : failure.kind;
  const why = words.t(isBusy ? 'notice.busy' : `failure.${kind}`);
  const when = retryWords(failure, words, secondsLeft);
  // no blank between sentences of Chinese and Japanese
  return [why, when].filter(Boolean).join(/^(ja|zh)/.test(words.locale) ? '' : ' ');
}

function retryWords({ kind, retryAfter }: RunFailure, words: Strings, secondsLeft: number): string {
  const isVague = retryAfter === undefined ? kind === 'rate-limit' : retryAfter > maxCountdownSeconds;
  if (isVague) return words.t('notice.retry-later');
  if (secondsLeft <= 0) return '';
  if (secondsLeft <= 90) return words.t('notice.retry-seconds', { count: secondsLeft });
  return words.t('notice.retry-minutes', { count: Math.ceil(secondsLeft / 60) });
}

/** That a run was stopped, and whether the agent may go on. */
export function stoppedText({ failure, stopUnconfirmed }: Run, words: Strings): string {
  return words.t(failure || stopUnconfirmed ? 'notice.may-continue' : 'notice.stopped');
}

/** The state of connection, run and history, for the header. */
export function headerStatusText(
  { connection, history }: SessionState,
  run: Run | undefined,
  words: Strings,
  idle: string,
): string {
  if (run?.needsReply) return words.t('status.waiting');
  switch (connection) {
    case 'connecting':
    case 'streaming':
      return words.t('status.working');
    case 'stalled':
    case 'offline':
    case 'resuming':
    case 'auth-needed':
    case 'failed':
      return words.t(`status.${connection}`);
    case 'idle':
      return history === 'failed' || history === 'auth-needed' ? words.t(`status.${history}`) : idle;
  }
}

/** What can be wrong with the connection while a run is on. */
export type Trouble = 'stalled' | 'offline' | 'resuming';

/** What is wrong with a connection; `''` when all is well. */
export function troubleOf(connection: ConnectionState): Trouble | '' {
  return connection === 'stalled' || connection === 'offline' || connection === 'resuming' ? connection : '';
}

/** What is wrong with the connection, in words. */
export function connectionText(trouble: Trouble, words: Strings): string {
  return words.t(`status.${trouble}`);
}
