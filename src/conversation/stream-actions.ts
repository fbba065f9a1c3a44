import type { Conversation, RunFailure } from './conversation.ts';
import { endRun } from './reducers/run.ts';
import { hasEnded } from './run-status.ts';
import { findRun, updateMessage, updateRun, withFields } from './update.ts';

/**
 * Ends a run when its stream closes, or falls silent after a terminal event. A run without a terminal event becomes
 * `interrupted`, never complete. A run that ended with a question is `waiting`, or complete if the visitor has
 * answered meanwhile; one whose last event was an error is `failed`.
 * @source wire, section 4: end of turn
 */
export function endStream(conversation: Conversation, runKey: string, at: number): Conversation {
  const run = findRun(conversation, runKey);
  if (!run || hasEnded(run)) return conversation;
  if (run.failure && run.status !== 'interrupted') return endRun(conversation, { runKey, at }, 'failed');
  if (run.needsReply || run.status === 'waiting') return endRun(conversation, { runKey, at }, 'completed');
  return breakOff(conversation, runKey, { failure: interruption(''), at });
}

/** The service accepted the message and named the run, before its first event. */
export function acceptRun(conversation: Conversation, runKey: string, runId: string): Conversation {
  const accepted = updateRun(conversation, runKey, (run) => withFields(run, { runId: run.runId ?? runId }));
  return settlePrompt(accepted, runKey, 'sent');
}

/**
 * The connection broke after the service accepted the message. Text and open steps stay, because the run may be
 * resumed. A run that has asked goes on waiting for the visitor.
 */
export function breakOff(
  conversation: Conversation,
  runKey: string,
  options: { readonly failure: RunFailure | undefined; readonly at: number },
): Conversation {
  const run = findRun(conversation, runKey);
  if (!run || hasEnded(run)) return conversation;
  if (run.needsReply) return endRun(conversation, { runKey, at: options.at }, 'completed');
  const broken = updateRun(conversation, runKey, (current) =>
    withFields(current, {
      status: 'interrupted',
      failure: options.failure,
      endedAt: options.at,
      statusLine: undefined,
    }),
  );
  return settlePrompt(broken, runKey, 'sent');
}

/** Marks an interrupted run as streaming again. */
export function resumeRun(conversation: Conversation, runKey: string): Conversation {
  return updateRun(conversation, runKey, (run) =>
    run.status === 'interrupted'
      ? { ...run, status: 'streaming', failure: undefined, endedAt: undefined }
      : run,
  );
}

/** The service rejected the message or could not be reached: no event of a run arrived. */
export function failSubmission(
  conversation: Conversation,
  runKey: string,
  options: { readonly failure: RunFailure; readonly at: number },
): Conversation {
  const failed = endRun(conversation, { runKey, at: options.at }, 'failed', options.failure);
  return settlePrompt(failed, runKey, 'rejected');
}

/** Stops a run for the visitor. The partial answer stays. */
export function stopRun(conversation: Conversation, runKey: string, at: number): Conversation {
  const run = findRun(conversation, runKey);
  if (!run || hasEnded(run)) return conversation;
  const stopped = endRun(conversation, { runKey, at }, 'cancelled');
  const settled = settlePrompt(stopped, runKey, 'sent');
  return updateRun(settled, runKey, (current) => withFields(current, { failure: undefined }));
}

/** Records whether the service confirmed the stop. */
export function markStop(conversation: Conversation, runKey: string, confirmed: boolean): Conversation {
  return updateRun(conversation, runKey, (run) => withFields(run, { stopUnconfirmed: !confirmed }));
}

/** A callback was delivered: the turn is over, and its answer arrives as a thread event. */
export function completeCallback(
  conversation: Conversation,
  runKey: string,
  options: { readonly at: number; readonly messageId: string | undefined },
): Conversation {
  const ended = endRun(conversation, { runKey, at: options.at }, 'completed');
  const delivered = updateRun(ended, runKey, (run) => withFields(run, { done: true }));
  return updateMessage(delivered, runKey, (message) =>
    withFields(message, { status: 'sent', messageId: message.messageId ?? options.messageId }),
  );
}

/** The failure of an interrupted run. */
export function interruption(reason: string): RunFailure {
  return { kind: 'interrupted', reason, retryable: true, retryAfter: undefined };
}

/**
 * Ends the sending of a run's prompt, which has the run's key as its id; one that is not being sent keeps its status.
 */
export function settlePrompt(
  conversation: Conversation,
  runKey: string,
  status: 'sent' | 'rejected',
): Conversation {
  return updateMessage(conversation, runKey, (message) =>
    message.status === 'sending' ? { ...message, status } : message,
  );
}
