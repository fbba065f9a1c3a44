import { isObject } from '../../protocol/json.ts';
import type { AgentEvent } from '../agents/agent.ts';
import { turns } from '../agents/fair-turns.ts';
import { normalizeEvent, textDeltaJson } from '../agents/normalize-events.ts';
import { errorCode } from '../agents/upstream/model-refusal.ts';
import { GuardrailError } from '../guardrails/guardrail-error.ts';
import { eventJson, type StoredEvent } from '../storage/run-events.ts';
import type { StoredRunStatus } from '../storage/tables.ts';
import { DraftAnswer, partialMessage, type AnsweredMessage } from './draft-answer.ts';
import { failureOf, runEnds, RunAborted, type RunEnd, type RunEndReason } from './run-end.ts';
import { messageBearingEvents, terminalEvents } from './event-classes.ts';
import { MessageIdMap } from './message-id-map.ts';
import type { RunMeter } from './run-meter.ts';
import { RunOutput, type RunOutputParts } from './run-output.ts';

type Data = Readonly<Record<string, unknown>>;
type Content = AnsweredMessage['message']['content'];

/** Time limit for checking a partial answer, because the end of the run waits for it. */
const partialCheckTimeoutMs = 2_000;

/** Dependencies of an execution. */
export interface ExecutionParts extends RunOutputParts {
  /** The event `run.started`, if it is stored. */
  readonly started?: StoredEvent | undefined;
  /** The agent's events, after the guardrails. */
  readonly events: () => AsyncIterable<AgentEvent>;
  /** Checks content composed of guarded pieces. @throws GuardrailError */
  readonly checkComposed: (content: Content, signal: AbortSignal) => Promise<Content>;
  readonly meter: Pick<RunMeter, 'error' | 'event' | 'guardrail' | 'failed' | 'answered'>;
}

/** Executes a run from `run.started` to its end: reads the agent's events, and completes what the agent leaves out. */
export class RunExecution {
  readonly #parts: ExecutionParts;
  readonly #answer: DraftAnswer;
  readonly #messageIds = new MessageIdMap();
  readonly #output: RunOutput;
  /** The messages that asked the visitor, by id. */
  readonly #questions = new Map<string, AnsweredMessage>();
  #closing = false;
  #inFlight: Promise<void> = Promise.resolve();
  #waiting = false;
  #failed: Data | undefined;
  #completion: { event: string; data: Data } | undefined;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#answer = new DraftAnswer(parts.run.message.id);
    this.#output = new RunOutput(parts, this.#answer);
  }

  /** Executes the run. Returns its final status. Never throws. */
  async execute(): Promise<StoredRunStatus> {
    const { signal } = this.#parts.run;
    const aborted = new Promise<RunEndReason>((resolve) => {
      const stop = (): void =>
        resolve(signal.reason instanceof RunAborted ? signal.reason.reason : 'cancelled');
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      await this.#output.start(this.#parts.started);
      const pumped = this.#pump();
      const end = await Promise.race([pumped.then(() => undefined), aborted]);
      this.#closing = true;
      pumped.catch(() => undefined);
      await this.#inFlight.catch(() => undefined);
      if (end !== undefined) return await this.#finish(runEnds[end]);
      return await this.#finishNormally();
    } catch (error) {
      this.#closing = true;
      return await this.#finishWithError(error);
    } finally {
      this.#parts.live.end();
    }
  }

  async #pump(): Promise<void> {
    for await (const agentEvent of this.#parts.events()) {
      if (this.#closing) return;
      if (turns.isOver) await turns.wait(); // an agent that never waits must not block the event loop
      if (this.#closing) return;
      if (this.#publishDelta(agentEvent)) continue;
      const { event, data } = this.#normalize(agentEvent);
      if (event === 'done' || event === 'run.started') continue;
      if (terminalEvents.has(event)) {
        this.#completion = { event, data };
        return;
      }
      this.#inFlight = this.#handleEvent(event, data);
      await this.#inFlight;
      if (this.#closing) return;
    }
  }

  /** Publishes a delta of an open message synchronously. Returns false for any other event. */
  #publishDelta(agentEvent: AgentEvent): boolean {
    if (typeof agentEvent === 'string') {
      if (!this.#answer.appendText(agentEvent)) return false;
      this.#output.publish({ event: 'message.delta', json: textDeltaJson(agentEvent) });
    } else {
      const { event, data } = this.#normalize(agentEvent);
      if (event !== 'message.delta' || !this.#answer.isOpen) return false;
      const json = eventJson(data); // serialize first: if this throws, the answer must not change
      this.#answer.apply(event, data);
      this.#output.publish({ event, json });
    }
    this.#waiting = false;
    return true;
  }

  #normalize(agentEvent: AgentEvent): { event: string; data: Data } {
    const { event, data } = normalizeEvent(agentEvent);
    const isBeside = asks(event) && this.#answer.hasDraft;
    return {
      event,
      data: this.#messageIds.map(event, data, isBeside ? undefined : this.#answer.messageId),
    };
  }

  async #handleEvent(event: string, data: Data): Promise<void> {
    if (event === 'message.delta' && !this.#answer.isOpen) return this.#openMessage(data);
    if (event === 'message.created') return this.#create(data);
    if (event === 'message.started') data = { message_id: this.#answer.messageId, ...data };
    const json = eventJson(data); // serialize first: if this throws, the answer must not change
    this.#answer.apply(event, data);
    if (event === 'message.started') this.#waiting = false;
    if (event === 'error') this.#failed = data;
    if (messageBearingEvents.has(event)) {
      this.#waiting = asks(event);
      if (isObject(data['message']) && data['message']['content'] != null) {
        const repeated = this.#repeated(data['message']);
        if (repeated) return this.#output.writeMessage(event, data, repeated);
        if (this.#waiting && this.#answer.hasDraft) await this.#create({});
        const message = this.#answer.create(data['message']);
        if (this.#waiting) this.#questions.set(message.id, message);
        return this.#output.writeMessage(event, data, message);
      }
    }
    await this.#output.write({ event, json });
  }

  /** Starts a message with its first delta. */
  #openMessage(delta: Data): void {
    const json = eventJson(delta); // serialize first: if this throws, the answer must not change
    const opening = { message_id: this.#answer.messageId };
    this.#answer.apply('message.started', opening);
    this.#answer.apply('message.delta', delta);
    this.#waiting = false;
    this.#output.publish(
      { event: 'message.started', json: eventJson(opening) },
      { event: 'message.delta', json },
    );
  }

  async #create(data: Data): Promise<void> {
    const agentMessage = isObject(data['message']) ? data['message'] : {};
    const repeated = this.#repeated(agentMessage);
    if (repeated) return this.#output.writeMessage('message.created', data, repeated);
    const content = 'content' in agentMessage ? agentMessage['content'] : await this.#draftContent();
    const message = this.#answer.create({ ...agentMessage, content });
    await this.#output.writeMessage('message.created', data, message);
  }

  /** The new version of a question, whose run may have begun an answer since. */
  #repeated(agentMessage: Data): AnsweredMessage | undefined {
    const question = this.#questions.get(String(agentMessage['id']));
    return question && { ...question, message: { ...question.message, ...agentMessage } };
  }

  #draftContent(signal = this.#parts.run.signal): Promise<Content> {
    return this.#parts.checkComposed(this.#answer.draft().message.content, signal);
  }

  async #finishNormally(): Promise<StoredRunStatus> {
    const completion = this.#completion;
    const hasFailed = completion !== undefined && completion.event !== 'run.completed';
    const completesAnswer = this.#answer.hasDraft && !hasFailed && !this.#failed;
    if (completion) {
      const { event, data } = completion;
      const status = terminalEvents.get(event) ?? 'completed';
      const waits = this.#waiting && status === 'completed';
      return this.#finish({ event, data, status: waits ? 'waiting' : status, completesAnswer });
    }
    if (this.#failed) return this.#finish({ event: 'run.failed', data: this.#failed, status: 'failed' });
    if (!this.#waiting)
      return this.#finish({ event: 'run.completed', data: {}, status: 'completed', completesAnswer });
    if (completesAnswer) await this.#output.writeAnswer(await this.#completeAnswer());
    return this.#output.endWaiting();
  }

  async #finishWithError(error: unknown): Promise<StoredRunStatus> {
    const reason: unknown = this.#parts.run.signal.reason;
    if (this.#parts.run.signal.aborted && reason instanceof RunAborted) {
      return this.#finish(runEnds[reason.reason]);
    }
    if (error instanceof GuardrailError) {
      if (error.cause !== undefined) this.#parts.meter.error(error);
      if (error.code === 'guardrail') {
        this.#parts.meter.guardrail({ guardrail: error.guardrail, side: error.side });
      }
      if (error.side === 'input') this.#output.withhold();
      return this.#finish({ event: 'run.failed', data: error.data, status: 'failed' });
    }
    this.#parts.meter.error(error);
    return this.#finish(failureOf(error));
  }

  /** Stores and sends the end of the run. */
  async #finish(end: RunEnd): Promise<StoredRunStatus> {
    const { event, data, status, reason, completesAnswer } = end;
    const { run, meter } = this.#parts;
    if (reason !== undefined) meter.failed(reason);
    else if (status === 'failed' || status === 'expired') meter.failed(errorCode(data));
    const json = eventJson({
      agent_id: run.agentId,
      ...(event === 'run.completed' ? { context: run.context } : {}),
      ...data,
    });
    this.#output.check(json); // before the answer is completed, which can be done only once
    const answer = completesAnswer ? await this.#completeAnswer() : [];
    const partial = await this.#partial(end);
    return this.#output.end({ event, json, status }, { answer, ...(partial ? { partial } : {}) });
  }

  /** Completes the open message. Returns what is to be stored and sent of it. */
  async #completeAnswer(): Promise<ReturnType<RunOutput['answerEntries']>> {
    const content = await this.#draftContent();
    return this.#output.answerEntries(this.#answer.create({ content }));
  }

  /** Returns the partial answer to store, or `undefined` if its text as a whole violates a guardrail. */
  async #partial(end: RunEnd): Promise<AnsweredMessage | undefined> {
    if (!this.#answer.hasDraft) return undefined;
    const draft = this.#answer.draft();
    try {
      const content = await this.#draftContent(AbortSignal.timeout(partialCheckTimeoutMs));
      return partialMessage({ ...draft, message: { ...draft.message, content } }, end);
    } catch (error) {
      if (!(error instanceof GuardrailError)) this.#parts.meter.error(error);
      return undefined;
    }
  }
}

/** Whether the run waits for the visitor after an event. */
function asks(event: string): boolean {
  return messageBearingEvents.has(event) && event !== 'slot.input';
}
