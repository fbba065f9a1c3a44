import { isObject } from '../../protocol/json.ts';
import { AgentFailure, type AgentEvent, type AgentRun } from '../agents/agent.ts';
import { turns } from '../agents/fair-turns.ts';
import { normalizeEvent, textDeltaJson } from '../agents/normalize-events.ts';
import { GuardrailError } from '../guardrails/guardrail-error.ts';
import { markWithheld } from '../guardrails/withheld-message.ts';
import { storedAgent, withAuthor } from '../storage/message-author.ts';
import type { StoredEvent } from '../storage/run-events.ts';
import type { StoredRunStatus } from '../storage/tables.ts';
import { DraftAnswer, type AnsweredMessage } from './draft-answer.ts';
import { runEnds, RunAborted, type RunEndReason } from './run-end.ts';
import { sanitizeEventName, deferredEvents, messageBearingEvents, terminalEvents } from './event-classes.ts';
import { isUnwritable, type Journal } from './journal.ts';
import type { LiveRun } from './live-run.ts';
import { MessageIdMap } from './message-id-map.ts';
import type { RunMeter } from './run-meter.ts';

type Data = Readonly<Record<string, unknown>>;
type Content = AnsweredMessage['message']['content'];

/** Time limit for checking a partial answer, because the end of the run waits for it. */
const partialCheckTimeoutMs = 2_000;

/**
 * Limit for all events of a run together, in multiples of the event limit.
 * @assumed no answer is as long
 */
const maxRunEvents = 16;

/** Dependencies of an execution. */
export interface ExecutionParts {
  readonly live: LiveRun;
  readonly journal: Journal;
  readonly run: AgentRun;
  /** The agent's events, after the guardrails. */
  readonly events: () => AsyncIterable<AgentEvent>;
  /** Checks content composed of guarded pieces. @throws GuardrailError */
  readonly checkComposed: (content: Content, signal: AbortSignal) => Promise<Content>;
  /** Largest event, in bytes. */
  readonly eventLimit: number;
  readonly meter: Pick<RunMeter, 'error' | 'event' | 'guardrail' | 'answered'>;
}

/**
 * Executes a run from `run.started` to its end: numbers the events, completes what the agent leaves out, and
 * stores every acknowledged event before sending it.
 */
export class RunExecution {
  readonly #parts: ExecutionParts;
  readonly #answer: DraftAnswer;
  readonly #names = new MessageIdMap();
  #ms = 0;
  #sequence = 0;
  /** Characters published so far. */
  #publishedLength = 0;
  #closing = false;
  #inFlight: Promise<void> = Promise.resolve();
  #waiting = false;
  #failed: Data | undefined;
  #completion: { event: string; data: Data } | undefined;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#answer = new DraftAnswer(parts.run.message.id);
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
      await this.#emit('run.started', {
        agent_id: this.#parts.run.agentId,
        parent_message_id: this.#parts.run.message.id,
      });
      const pumped = this.#pump();
      const end = await Promise.race([pumped.then(() => undefined), aborted]);
      this.#closing = true;
      pumped.catch(() => undefined);
      await this.#inFlight.catch(() => undefined);
      if (end !== undefined)
        return await this.#finish(runEnds[end].event, runEnds[end].data, runEnds[end].status);
      return await this.#finishNormally();
    } catch (error) {
      this.#closing = true;
      return await this.#finishWithError(error);
    } finally {
      this.#parts.live.end();
    }
  }

  async #pump(): Promise<void> {
    for await (const given of this.#parts.events()) {
      if (this.#closing) return;
      if (turns.isOver) await turns.wait(); // an agent that never waits must not block the event loop
      if (this.#closing) return;
      if (this.#publishDelta(given)) continue;
      const { event, data } = this.#normal(given);
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
  #publishDelta(given: AgentEvent): boolean {
    if (typeof given === 'string') {
      if (!this.#answer.appendText(given)) return false;
      this.#publishJson('message.delta', textDeltaJson(given));
    } else {
      const { event, data } = this.#normal(given);
      if (event !== 'message.delta' || !this.#answer.isOpen) return false;
      const json = jsonOf(data); // serialize first: if this throws, the answer must not change
      this.#answer.apply(event, data);
      this.#publishJson(event, json);
    }
    this.#waiting = false;
    return true;
  }

  #normal(given: AgentEvent): { event: string; data: Data } {
    const { event, data } = normalizeEvent(given);
    return { event, data: this.#names.map(event, data, this.#answer.messageId) };
  }

  async #handleEvent(event: string, data: Data): Promise<void> {
    if (event === 'message.delta' && !this.#answer.isOpen) await this.#open();
    if (event === 'message.created') return this.#create(data);
    if (event === 'message.started') data = { message_id: this.#answer.messageId, ...data };
    const json = jsonOf(data); // serialize first: if this throws, the answer must not change
    this.#answer.apply(event, data);
    if (event === 'message.delta' || event === 'message.started') this.#waiting = false;
    if (event === 'error') this.#failed = data;
    if (messageBearingEvents.has(event)) {
      this.#waiting = event !== 'slot.input';
      if (isObject(data['message']) && data['message']['content'] != null) {
        if (this.#waiting && this.#answer.hasDraft) await this.#create({});
        const message = this.#answer.create(data['message']);
        return this.#emit(
          event,
          { ...data, message_id: message.id, message: this.#toWire(message) },
          { message },
        );
      }
    }
    await this.#emitJson(event, json);
  }

  async #open(): Promise<void> {
    const data = { message_id: this.#answer.messageId };
    this.#answer.apply('message.started', data);
    await this.#emit('message.started', data);
  }

  async #create(data: Data): Promise<void> {
    const given = isObject(data['message']) ? data['message'] : {};
    const content = 'content' in given ? given['content'] : await this.#draftContent();
    const message = this.#answer.create({ ...given, content });
    await this.#emit(
      'message.created',
      { ...data, message_id: message.id, message: this.#toWire(message) },
      { message },
    );
  }

  #draftContent(signal = this.#parts.run.signal): Promise<Content> {
    return this.#parts.checkComposed(this.#answer.draft().message.content, signal);
  }

  async #finishNormally(): Promise<StoredRunStatus> {
    const completion = this.#completion;
    const bad = completion && completion.event !== 'run.completed';
    if (this.#answer.hasDraft && !bad && !this.#failed) {
      const id = this.#answer.messageId;
      await this.#create({});
      await this.#emit('message.completed', { message_id: id });
    }
    if (completion) {
      const status = terminalEvents.get(completion.event) ?? 'completed';
      const waits = this.#waiting && status === 'completed';
      return this.#finish(completion.event, completion.data, waits ? 'waiting' : status);
    }
    if (this.#failed) return this.#finish('run.failed', this.#failed, 'failed');
    if (this.#waiting) return this.#wait();
    return this.#finish('run.completed', {}, 'completed');
  }

  async #finishWithError(error: unknown): Promise<StoredRunStatus> {
    const reason: unknown = this.#parts.run.signal.reason;
    if (this.#parts.run.signal.aborted && reason instanceof RunAborted) {
      const { event, data, status } = runEnds[reason.reason];
      return this.#finish(event, data, status);
    }
    if (error instanceof GuardrailError) {
      if (error.cause !== undefined) this.#parts.meter.error(error);
      this.#parts.meter.guardrail({ guardrail: error.guardrail, side: error.side });
      if (error.side === 'input') this.#withhold();
      return this.#finish('run.failed', error.data, 'failed');
    }
    const known = error instanceof AgentFailure;
    this.#parts.meter.error(error);
    const publicError = known
      ? { code: error.code, message: error.message }
      : { code: 'agent_error', message: 'The agent could not answer. Please try again.' };
    return this.#finish('run.failed', { reason: publicError.code, error: publicError }, 'failed');
  }

  /** Excludes the visitor's message from later turns; written together with the end of the run. */
  #withhold(): void {
    const { journal, run } = this.#parts;
    const { runId, threadId, tenantId, subject: author } = run;
    const message = markWithheld(run.message);
    const kept = { id: message.id, threadId, tenantId, author, runId, role: message.role ?? 'user', message };
    journal.gather({ runId, message: kept });
  }

  /**
   * Ends the run after a question to the visitor: the stream closes without `done`.
   * @source seen on the wire: `message.interrupt`, then the stream closes
   */
  async #wait(): Promise<StoredRunStatus> {
    await this.#parts.journal
      .commit({ runId: this.#parts.run.runId, ended: { status: 'waiting', at: this.#ms } })
      .catch(async (error: unknown) => {
        this.#parts.meter.error(error);
        if (isUnwritable(error)) await this.#keepEnd('waiting', []);
      });
    return 'waiting';
  }

  async #finish(event: string, given: Data, status: StoredRunStatus): Promise<StoredRunStatus> {
    const { run, journal, live } = this.#parts;
    const data = {
      agent_id: run.agentId,
      ...(event === 'run.completed' ? { context: run.context } : {}),
      ...given,
    };
    const partial = await this.#partial(status);
    const json = jsonOf(data);
    // The last two events get a timestamp that no other event has, so a reader's cursor shows whether the
    // reader has received the end. See `synthesizedEvents`.
    this.#ms += 1;
    this.#sequence = -1;
    const last = this.#number(event, json);
    const done = this.#number('done', json);
    let isStored = true;
    try {
      journal.gather({ runId: run.runId, event: last, ...(partial ? { message: this.#kept(partial) } : {}) });
      await journal.commit({ runId: run.runId, event: done, ended: { status, at: done.ms } });
    } catch (error) {
      isStored = false;
      this.#parts.meter.error(error);
      if (isUnwritable(error)) await this.#keepEnd(status, [last, done]);
    }
    for (const kept of [last, done]) {
      this.#parts.meter.event(kept.event);
      live.publish(kept);
    }
    live.end();
    if (isStored) live.settle();
    return status;
  }

  /**
   * Stores the end of a run whose last events could not be stored; otherwise its followers would wait
   * forever.
   */
  async #keepEnd(status: StoredRunStatus, ends: readonly StoredEvent[]): Promise<void> {
    const { run, journal } = this.#parts;
    const json = jsonOf({ agent_id: run.agentId });
    for (const end of ends) journal.gather({ runId: run.runId, event: { ...end, json } });
    await journal
      .commit({ runId: run.runId, ended: { status, at: this.#ms } })
      .catch((error: unknown) => this.#parts.meter.error(error));
  }

  /** Returns the partial answer to store, or `undefined` if its text as a whole violates a guardrail. */
  async #partial(status: StoredRunStatus): Promise<AnsweredMessage | undefined> {
    if (!this.#answer.hasDraft) return undefined;
    const draft = this.#answer.draft();
    try {
      const content = await this.#draftContent(AbortSignal.timeout(partialCheckTimeoutMs));
      return partialMessage({ ...draft, message: { ...draft.message, content } }, status);
    } catch (error) {
      if (!(error instanceof GuardrailError)) this.#parts.meter.error(error);
      return undefined;
    }
  }

  /** Publishes a deferred event at once; it is stored soon. */
  #publishJson(event: string, json: string): void {
    this.#measure(json);
    const { journal, live, run, meter } = this.#parts;
    const kept = this.#number(event, json);
    journal.gather({ runId: run.runId, event: kept });
    meter.event(event);
    live.publish(kept);
  }

  #emit(event: string, data: Data, keep: { message?: AnsweredMessage } = {}): Promise<void> {
    return this.#emitJson(event, jsonOf(data), keep);
  }

  async #emitJson(event: string, json: string, keep: { message?: AnsweredMessage } = {}): Promise<void> {
    const { journal, live, run, meter } = this.#parts;
    if (deferredEvents.has(event)) return this.#publishJson(event, json);
    this.#measure(json);
    const kept = this.#number(event, json);
    await journal.commit({
      runId: run.runId,
      event: kept,
      ...(keep.message ? { message: this.#kept(keep.message) } : {}),
    });
    meter.event(event);
    live.publish(kept);
  }

  /**
   * Checks the size limits.
   * @throws AgentFailure for an endless answer, which would fill the memory
   */
  #measure(json: string): void {
    const { eventLimit } = this.#parts;
    this.#publishedLength += json.length;
    if (this.#answer.size > eventLimit) throw tooLarge(`a part larger than ${eventLimit} bytes`);
    if (this.#publishedLength > maxRunEvents * eventLimit)
      throw tooLarge(`more than ${maxRunEvents * eventLimit} bytes in all`);
  }

  #number(event: string, json: string): StoredEvent {
    const now = event === 'done' ? this.#ms : Date.now();
    if (now > this.#ms) {
      this.#ms = now;
      this.#sequence = 0;
    } else this.#sequence += 1;
    const { eventLimit } = this.#parts;
    // A UTF-16 code unit takes at most three bytes: count bytes of large texts only.
    if (json.length * 3 > eventLimit && Buffer.byteLength(json) > eventLimit) {
      throw tooLarge(`a part larger than ${eventLimit} bytes`);
    }
    return { ms: this.#ms, sequence: this.#sequence, event: sanitizeEventName(event), json };
  }

  #toWire({ id, message }: AnsweredMessage): Data {
    return { ...withAuthor(message, { kind: 'agent', id: this.#parts.run.agentId }), id };
  }

  #kept(message: AnsweredMessage) {
    const { run, meter } = this.#parts;
    meter.answered(message.message);
    return {
      id: message.id,
      threadId: run.threadId,
      tenantId: run.tenantId,
      author: storedAgent(run.agentId),
      runId: run.runId,
      role: message.role,
      message: message.message,
    };
  }
}

function tooLarge(what: string): AgentFailure {
  return new AgentFailure('event_too_large', `The answer contains ${what}.`);
}

/** Returns a partial answer for the store; `message_state` contains the reason. */
export function partialMessage(draft: AnsweredMessage, status: StoredRunStatus): AnsweredMessage {
  return { ...draft, message: { ...draft.message, message_state: { run_status: status, partial: true } } };
}

/** Serializes data without run and thread ids: the service adds its own when it sends the event. */
function jsonOf(data: Data): string {
  const hasIds = 'run_id' in data || 'thread_id' in data;
  return JSON.stringify(hasIds ? { ...data, run_id: undefined, thread_id: undefined } : data);
}
