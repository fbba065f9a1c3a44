import { isObject } from '../../protocol/json.ts';
import type { AgentEvent, AgentRun } from '../agents/agent.ts';
import { turns } from '../agents/fair-turns.ts';
import { normalizeEvent, textDeltaJson } from '../agents/normalize-events.ts';
import { GuardrailError } from '../guardrails/guardrail-error.ts';
import { markWithheld } from '../guardrails/withheld-message.ts';
import { isUnwritable } from '../storage/database-error.ts';
import { storedAgent, withAuthor } from '../storage/message-author.ts';
import { eventJson, type StoredEvent } from '../storage/run-events.ts';
import type { StoredRunStatus } from '../storage/tables.ts';
import { DraftAnswer, partialMessage, type AnsweredMessage } from './draft-answer.ts';
import { failureOf, notStored, runEnds, RunAborted, type RunEnd, type RunEndReason } from './run-end.ts';
import { deferredEvents, messageBearingEvents, terminalEvents } from './event-classes.ts';
import { EventNumbering, tooLarge } from './event-numbering.ts';
import type { Journal } from './journal.ts';
import type { LiveRun } from './live-run.ts';
import type { JournalEntry } from './pending-run.ts';
import { MessageIdMap } from './message-id-map.ts';
import type { RunMeter } from './run-meter.ts';
import { startedEvent } from './started-event.ts';

type Data = Readonly<Record<string, unknown>>;
type Content = AnsweredMessage['message']['content'];

/** Time limit for checking a partial answer, because the end of the run waits for it. */
const partialCheckTimeoutMs = 2_000;

/** An event that ends the answer, and the message it acknowledges. */
type AnswerEntry = Pick<JournalEntry, 'message'> & { readonly event: StoredEvent };

/** Dependencies of an execution. */
export interface ExecutionParts {
  readonly live: LiveRun;
  readonly journal: Journal;
  readonly run: AgentRun;
  /** The event `run.started`, if it is stored. */
  readonly started?: StoredEvent | undefined;
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
  readonly #numbering: EventNumbering;
  #closing = false;
  #inFlight: Promise<void> = Promise.resolve();
  #waiting = false;
  #failed: Data | undefined;
  #completion: { event: string; data: Data } | undefined;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#answer = new DraftAnswer(parts.run.message.id);
    this.#numbering = new EventNumbering(parts.eventLimit);
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
      await this.#start();
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

  async #start(): Promise<void> {
    const { run, journal, live, meter, started } = this.#parts;
    const first = started ?? startedEvent({ agent_id: run.agentId, message_id: run.message.id });
    this.#numbering.startAfter(first);
    if (!started) await journal.commit({ runId: run.runId, event: first });
    meter.event(first.event);
    live.publish(first);
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
      this.#publishDeferred('message.delta', textDeltaJson(given));
    } else {
      const { event, data } = this.#normal(given);
      if (event !== 'message.delta' || !this.#answer.isOpen) return false;
      const json = eventJson(data); // serialize first: if this throws, the answer must not change
      this.#answer.apply(event, data);
      this.#publishDeferred(event, json);
    }
    this.#waiting = false;
    return true;
  }

  #normal(given: AgentEvent): { event: string; data: Data } {
    const { event, data } = normalizeEvent(given);
    return { event, data: this.#names.map(event, data, this.#answer.messageId) };
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

  /** Starts a message with its first delta. */
  #openMessage(delta: Data): void {
    const json = eventJson(delta); // serialize first: if this throws, the answer must not change
    const opening = { message_id: this.#answer.messageId };
    this.#answer.apply('message.started', opening);
    this.#answer.apply('message.delta', delta);
    this.#waiting = false;
    this.#parts.live.publish(
      this.#gather('message.started', eventJson(opening)),
      this.#gather('message.delta', json),
    );
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
    const completesAnswer = this.#answer.hasDraft && !bad && !this.#failed;
    if (completion) {
      const { event, data } = completion;
      const status = terminalEvents.get(event) ?? 'completed';
      const waits = this.#waiting && status === 'completed';
      return this.#finish({ event, data, status: waits ? 'waiting' : status, completesAnswer });
    }
    if (this.#failed) return this.#finish({ event: 'run.failed', data: this.#failed, status: 'failed' });
    if (!this.#waiting)
      return this.#finish({ event: 'run.completed', data: {}, status: 'completed', completesAnswer });
    if (completesAnswer) await this.#storeAnswer(await this.#completeAnswer());
    return this.#wait();
  }

  /** Ends the open message. Returns what is to be stored and sent of it. */
  async #completeAnswer(): Promise<readonly AnswerEntry[]> {
    const content = await this.#draftContent();
    const message = this.#answer.create({ content });
    const { id } = message;
    const created = eventJson({ message_id: id, message: this.#toWire(message) });
    return [
      { event: this.#next('message.created', created), message: this.#kept(message) },
      { event: this.#next('message.completed', eventJson({ message_id: id })) },
    ];
  }

  async #storeAnswer(entries: readonly AnswerEntry[]): Promise<void> {
    const { run, journal, live, meter } = this.#parts;
    await Promise.all(entries.map((entry) => journal.commit({ runId: run.runId, ...entry })));
    for (const { event } of entries) meter.event(event.event);
    live.publish(...entries.map(({ event }) => event));
  }

  async #finishWithError(error: unknown): Promise<StoredRunStatus> {
    const reason: unknown = this.#parts.run.signal.reason;
    if (this.#parts.run.signal.aborted && reason instanceof RunAborted) {
      return this.#finish(runEnds[reason.reason]);
    }
    if (error instanceof GuardrailError) {
      if (error.cause !== undefined) this.#parts.meter.error(error);
      this.#parts.meter.guardrail({ guardrail: error.guardrail, side: error.side });
      if (error.side === 'input') this.#withhold();
      return this.#finish({ event: 'run.failed', data: error.data, status: 'failed' });
    }
    this.#parts.meter.error(error);
    return this.#finish(failureOf(error));
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
      .commit({ runId: this.#parts.run.runId, ended: { status: 'waiting', at: this.#numbering.ms } })
      .catch(async (error: unknown) => {
        this.#parts.meter.error(error);
        if (isUnwritable(error)) await this.#keepEnd('waiting', []);
      });
    return 'waiting';
  }

  /** Stores and sends the end of the run, and that of its answer in the same commit. */
  async #finish(end: RunEnd): Promise<StoredRunStatus> {
    const { event, status } = end;
    const { run, journal, live, meter } = this.#parts;
    const json = eventJson({
      agent_id: run.agentId,
      ...(event === 'run.completed' ? { context: run.context } : {}),
      ...end.data,
    });
    this.#numbering.check(json);
    const answer = end.completesAnswer ? await this.#completeAnswer() : [];
    const partial = await this.#partial(status);
    const [last, done] = this.#numbering.ends(event, json);
    try {
      for (const entry of answer) journal.gather({ runId: run.runId, ...entry });
      journal.gather({ runId: run.runId, event: last, ...(partial ? { message: this.#kept(partial) } : {}) });
      await journal.commit({ runId: run.runId, event: done, ended: { status, at: done.ms } });
    } catch (error) {
      meter.error(error);
      if (isUnwritable(error)) {
        if (answer.length === 0) await this.#keepEnd(status, [last, done]);
        else {
          // only one of the two may be unwritable
          await this.#storeAnswer(answer);
          return this.#finish({ ...end, completesAnswer: false });
        }
      } else if (answer.length > 0) {
        // The store is away. The journal writes the answer later, so it must not be acknowledged now.
        const failed = eventJson({ agent_id: run.agentId, ...notStored.data });
        this.#end([
          { ...last, event: 'run.failed', json: failed },
          { ...done, json: failed },
        ]);
        return 'failed';
      }
      this.#end([last, done]);
      return status;
    }
    this.#end([...answer.map((entry) => entry.event), last, done]);
    live.settle();
    return status;
  }

  #end(events: readonly StoredEvent[]): void {
    for (const { event } of events) this.#parts.meter.event(event);
    this.#parts.live.end(...events);
  }

  /**
   * Stores the end of a run whose last events could not be stored; otherwise its followers would wait
   * forever.
   */
  async #keepEnd(status: StoredRunStatus, ends: readonly StoredEvent[]): Promise<void> {
    const { run, journal } = this.#parts;
    const json = eventJson({ agent_id: run.agentId });
    for (const end of ends) journal.gather({ runId: run.runId, event: { ...end, json } });
    await journal
      .commit({ runId: run.runId, ended: { status, at: this.#numbering.ms } })
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

  /** Publishes a deferred event at once. */
  #publishDeferred(event: string, json: string): void {
    this.#parts.live.publish(this.#gather(event, json));
  }

  /** Numbers a deferred event, which is stored soon. */
  #gather(event: string, json: string): StoredEvent {
    const { journal, run, meter } = this.#parts;
    const kept = this.#next(event, json);
    journal.gather({ runId: run.runId, event: kept });
    meter.event(event);
    return kept;
  }

  #emit(event: string, data: Data, keep: { message?: AnsweredMessage } = {}): Promise<void> {
    return this.#emitJson(event, eventJson(data), keep);
  }

  async #emitJson(event: string, json: string, keep: { message?: AnsweredMessage } = {}): Promise<void> {
    const { journal, live, run, meter } = this.#parts;
    if (deferredEvents.has(event)) return this.#publishDeferred(event, json);
    const kept = this.#next(event, json);
    await journal.commit({
      runId: run.runId,
      event: kept,
      ...(keep.message ? { message: this.#kept(keep.message) } : {}),
    });
    meter.event(event);
    live.publish(kept);
  }

  /** @throws AgentFailure when the event, or the answer so far, is too large */
  #next(event: string, json: string): StoredEvent {
    const { eventLimit } = this.#parts;
    if (this.#answer.size > eventLimit) throw tooLarge(`a part larger than ${eventLimit} bytes`);
    return this.#numbering.next(event, json);
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
