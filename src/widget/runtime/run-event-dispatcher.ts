import type {
  Conversation,
  ConversationMessage,
  EndedRunStatus,
  Run,
  RunFailure,
} from '../../conversation/conversation.ts';
import { referenceCode } from '../../conversation/reference-code.ts';
import { ErrorEvent, MessageCompleteEvent, RunEndEvent, RunStartEvent } from '../events/chat-events.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Dispatches the public events for the start and end of each run, once per run. */
export class RunEventDispatcher {
  readonly #target: EventTarget;
  #before: readonly Run[] = [];

  constructor(target: EventTarget) {
    this.#target = target;
  }

  /** Marks the current runs as dispatched: runs from storage, from another tab or from the service's history. */
  markSeen(conversation: Conversation): void {
    this.#before = conversation.runs;
  }

  /** Dispatches events for what changed since the last call. */
  dispatchChanges(conversation: Conversation): void {
    const { runs } = conversation;
    const before = this.#before;
    if (runs === before) return;
    this.#before = runs;
    for (const run of runs.filter((one, index) => one !== before[index])) {
      const known = before.find(({ id }) => id === run.id);
      // Runs from the service's history have ended and have messages only; they ran elsewhere.
      if (!known && run.endedAt && run.runId && run.lastEventId === undefined) continue;
      if (known && run.endedAt === known.endedAt) continue;
      // a retried or resumed run starts again
      if (!known || known.endedAt) {
        this.#target.dispatchEvent(new RunStartEvent(run.runId, conversation.threadId));
      }
      if (run.endedAt) this.#dispatchEnd(run, conversation);
    }
  }

  /** Dispatches the latest message, which came by callback and belongs to no run of this page. */
  dispatchLatest({ messages }: Conversation): void {
    this.#dispatchMessages(messages.slice(-1), messages.at(-1)?.runKey);
  }

  #dispatchEnd(run: Run, { messages, threadId }: Conversation): void {
    this.#dispatchMessages(messages, run.id);
    const status = run.status as EndedRunStatus; // it has `endedAt`
    this.#target.dispatchEvent(new RunEndEvent(status, run.runId, threadId));
    if (run.failure) this.#dispatchFailure(run, run.failure);
  }

  #dispatchFailure(run: Run, { kind, reason, status, url, requestId }: RunFailure): void {
    this.#target.dispatchEvent(new ErrorEvent(kind, reason, status, url, requestId));
    const facts = [
      kind,
      status && `status ${status}`,
      url,
      requestId && `request ${requestId}`,
      `reference ${referenceCode(run)}`,
    ];
    const said = reason && `: ${reason.slice(0, 500)}`;
    diagnose(this.#target, 'turn-failed', `A turn failed (${facts.filter(Boolean).join(', ')})${said}`);
  }

  #dispatchMessages(messages: readonly ConversationMessage[], runKey: string | undefined): void {
    for (const message of messages) {
      if (message.runKey !== runKey || message.role === 'user' || message.status !== 'complete') continue;
      const content = message.items.map((item) => item.source);
      this.#target.dispatchEvent(new MessageCompleteEvent(message.messageId, content));
    }
  }
}
