import type { Run } from '../../conversation/conversation.ts';
import type { ConnectionState } from '../../session/index.ts';
import type { SessionView } from '../contexts.ts';
import type { Words } from './words.ts';

/** The one quiet line of a run that is on: the agent's own words, else ours. `writing`: words of the answer are coming in. */
export function statusWords(run: Run | undefined, words: Words, writing = false): string {
  if (run?.statusLine?.text) return run.statusLine.text;
  const active = run?.steps.findLast((step) => step.status === 'active');
  if (active?.name) return active.name;
  return words.say(writing ? 'status.writing' : 'status.working');
}

/** Why a run failed. Seconds left to wait, when the service told: as many as are left, by default all. */
export function failureWords(
  { failure }: Run,
  words: Words,
  secondsLeft: number = failure?.retryAfter ?? 0,
): string {
  if (!failure) return '';
  return secondsLeft > 0
    ? words.say('failure.rate-limit-wait', { count: secondsLeft })
    : words.say(`failure.${failure.kind}`);
}

/** That a run was stopped, and whether the agent may go on. */
export function stoppedWords({ failure, stopUnconfirmed }: Run, words: Words): string {
  if (failure?.reason) return failure.reason;
  return words.say(failure || stopUnconfirmed ? 'notice.may-continue' : 'notice.stopped');
}

/** The state of connection, run and history, for the header. */
export function headerStatus(
  { connection, history }: SessionView,
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

/** Connection trouble in words, for the line under the answer; `''` when all is well. */
export function troubleWords(connection: ConnectionState, words: Words): string {
  return connection === 'stalled' || connection === 'offline' || connection === 'resuming'
    ? words.say(`status.${connection}`)
    : '';
}
