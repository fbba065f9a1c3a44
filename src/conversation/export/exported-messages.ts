import type { ConversationMessage, MessageStatus, Run, RunStatus } from '../conversation.ts';
import { createMessage } from '../factories.ts';
import type { Fields } from '../read-values.ts';
import type { Turn } from '../turns.ts';

/** Status of an exported message: of a visitor's message how it was sent, of an answer how its run ended. */
export type ExportedStatus = MessageStatus | Exclude<RunStatus, 'idle' | 'submitted'>;

/** A message to export, with its run. */
export interface ExportedMessage {
  readonly message: ConversationMessage;
  readonly run: Run | undefined;
  readonly status: ExportedStatus;
  /** Why there is no complete answer, if the service or the client said so. */
  readonly failure: Run['failure'];
}

/** What Markdown says of a message that is not complete or was not sent. */
const remarks: Partial<Record<ExportedStatus, string>> = {
  queued: '[Not sent yet]',
  sending: '[Not sent yet]',
  rejected: '[Not sent]',
  streaming: '[This answer is not complete yet]',
  failed: '[Failed: this answer is not complete]',
  expired: '[Timed out: this answer is not complete]',
  cancelled: '[Stopped: this answer is not complete]',
  interrupted: '[Connection lost: this answer is not complete]',
};

/**
 * The messages of the turns in the order shown, each with its status. The last answer of a run has the status of the
 * run. A run that ended without any answer gets an empty one, so that the export says how it ended.
 */
export function exportedMessages(turns: readonly Turn[]): readonly ExportedMessage[] {
  const lastOf = new Map(
    turns.flatMap(({ run, answers }) => (run && answers[0] ? [[run, answers.at(-1)]] : [])),
  );
  return turns.flatMap(({ prompt, run, answers }): readonly ExportedMessage[] => {
    const failure = run?.status === 'completed' ? undefined : run?.failure;
    const wasRejected = prompt?.status === 'rejected';
    const isOfPrompt = prompt === undefined || prompt.id === run?.id;
    const isMissing = run && isOfPrompt && !wasRejected && !lastOf.has(run) && endedEarly(run);
    const shown = isMissing ? [missingAnswer(run)] : answers;
    const answered = shown.map((message): ExportedMessage => {
      const isEnd = run !== undefined && (isMissing || message === lastOf.get(run));
      return isEnd
        ? { message, run, status: statusOfRun(run), failure }
        : {
            message,
            run,
            status: message.status === 'streaming' ? 'streaming' : 'completed',
            failure: undefined,
          };
    });
    if (!prompt) return answered;
    return [
      { message: prompt, run, status: prompt.status, failure: wasRejected ? failure : undefined },
      ...answered,
    ];
  });
}

/**
 * What Markdown adds to a message that is not complete or was not sent: what the agent's author said to the visitor, and
 * how the run ended. `''` for others.
 */
export function remarkOf({ status, failure }: ExportedMessage): string {
  const remark = remarks[status] ?? '';
  return failure?.forVisitor ? `${failure.reason}\n\n${remark}` : remark;
}

/** A failure as exported: its kind, and the reason and the id of the request where they are known. */
export function failureFields({ kind, reason, requestId }: NonNullable<Run['failure']>): Fields {
  return { kind, ...(reason ? { reason } : {}), ...(requestId ? { request_id: requestId } : {}) };
}

function statusOfRun({ status }: Run): ExportedStatus {
  return status === 'idle' || status === 'submitted' ? 'streaming' : status;
}

/** Whether a run ended without its answer. One that is known from history only may still be active. */
function endedEarly({ status, failure }: Run): boolean {
  return (
    status === 'failed' ||
    status === 'expired' ||
    status === 'cancelled' ||
    (status === 'interrupted' && !!failure)
  );
}

function missingAnswer({ id, endedAt, startedAt }: Run): ConversationMessage {
  const createdAt = endedAt ?? startedAt;
  return createMessage({
    id: `${id}-none`,
    role: 'assistant',
    status: 'complete',
    runKey: id,
    createdAt,
  });
}
