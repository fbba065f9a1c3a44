import type { Run, RunFailure } from '../../conversation/conversation.ts';
import type { ConnectionState } from '../../session/index.ts';
import type { SessionState } from '../../session/index.ts';
import type { Words } from './words.ts';

/** The one quiet line of a run that is on: the agent's own words, else ours. `writing`: words of the answer are coming in. */
export function statusWords(run: Run | undefined, words: Words, writing = false): string {
  if (run?.statusLine?.text) return run.statusLine.text;
  const active = run?.steps.findLast((step) => step.status === 'active');
  if (active?.name) return active.name;
  return words.say(writing ? 'status.writing' : 'status.working');
}

/** Longest wait that is counted down, in seconds; after a longer one nobody watches the clock. */
export const longestCountdown = 600;

/**
 * Why a run failed, and when to try again where the service said so.
 * @param secondsLeft Seconds of that wait which are left. Default: all.
 */
export function failureWords(
  { failure, runId }: Run,
  words: Words,
  secondsLeft: number = failure?.retryAfter ?? 0,
): string {
  if (!failure) return '';
  const isBusy = failure.kind === 'server' && failure.retryAfter !== undefined;
  // a connection that broke before the run had an id has brought nothing that could be kept
  const kind = failure.kind === 'interrupted' && runId === undefined ? 'network' : failure.kind;
  const why = words.say(isBusy ? 'notice.busy' : `failure.${kind}`);
  const when = retryWords(failure, words, secondsLeft);
  // no blank between sentences of Chinese and Japanese
  return [why, when].filter(Boolean).join(/^(ja|zh)/.test(words.locale) ? '' : ' ');
}

function retryWords({ kind, retryAfter }: RunFailure, words: Words, secondsLeft: number): string {
  const isVague = retryAfter === undefined ? kind === 'rate-limit' : retryAfter > longestCountdown;
  if (isVague) return words.say('notice.retry-later');
  if (secondsLeft <= 0) return '';
  if (secondsLeft <= 90) return words.say('notice.retry-seconds', { count: secondsLeft });
  return words.say('notice.retry-minutes', { count: Math.ceil(secondsLeft / 60) });
}

/** That a run was stopped, and whether the agent may go on. */
export function stoppedWords({ failure, stopUnconfirmed }: Run, words: Words): string {
  return words.say(failure || stopUnconfirmed ? 'notice.may-continue' : 'notice.stopped');
}

/** The state of connection, run and history, for the header. */
export function headerStatus(
  { connection, history }: SessionState,
  run: Run | undefined,
  words: Words,
  idle: string,
): string {
  if (run?.needsReply) return words.say('status.waiting');
  switch (connection) {
    case 'connecting':
    case 'streaming':
      return words.say('status.working');
    case 'stalled':
    case 'offline':
    case 'resuming':
    case 'auth-needed':
    case 'failed':
      return words.say(`status.${connection}`);
    case 'idle':
      return history === 'failed' || history === 'auth-needed' ? words.say(`status.${history}`) : idle;
  }
}

/** What can be wrong with the connection while a run is on. */
export type Trouble = 'stalled' | 'offline' | 'resuming';

/** What is wrong with a connection; `''` when all is well. */
export function troubleOf(connection: ConnectionState): Trouble | '' {
  return connection === 'stalled' || connection === 'offline' || connection === 'resuming' ? connection : '';
}

/** What is wrong with the connection, in words. */
export function troubleWords(trouble: Trouble, words: Words): string {
  return words.say(`status.${trouble}`);
}
