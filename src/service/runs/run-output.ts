import type { AgentRun } from '../agents/agent.ts';
import { errorCode } from '../agents/upstream/model-refusal.ts';
import { markWithheld } from '../guardrails/withheld-message.ts';
import { isUnwritable } from '../storage/database-error.ts';
import { storedAgent, withAuthor } from '../storage/message-author.ts';
import type { NewMessage } from '../storage/messages.ts';
import { eventJson, type StoredEvent } from '../storage/run-events.ts';
import type { StoredRunStatus } from '../storage/tables.ts';
import type { AnsweredMessage, DraftAnswer } from './draft-answer.ts';
import { deferredEvents } from './event-classes.ts';
import { EventNumbering, tooLarge } from './event-numbering.ts';
import type { Journal } from './journal.ts';
import type { LiveRun } from './live-run.ts';
import type { JournalEntry } from './pending-run.ts';
import { answerNotStored, notStored, RunAborted, runEnds, type RunEndReason } from './run-end.ts';
import type { RunMeter } from './run-meter.ts';
import { startedEvent } from './started-event.ts';

type Data = Readonly<Record<string, unknown>>;

/** An event whose data is serialized. */
interface SerializedEvent {
  readonly event: string;
  readonly json: string;
}

/** An event that ends the answer, and the message it acknowledges. */
type AnswerEntry = Pick<JournalEntry, 'message'> & { readonly event: StoredEvent };

/** Dependencies of an output. */
export interface RunOutputParts {
  readonly live: LiveRun;
  readonly journal: Journal;
  readonly run: AgentRun;
  /** Largest event, and largest message that is not stored yet, in bytes. */
  readonly eventLimit: number;
  readonly meter: Pick<RunMeter, 'error' | 'event' | 'failed' | 'answered'>;
}

/** Numbers the events of a run, and stores every acknowledged event before it sends it. */
export class RunOutput {
  readonly #parts: RunOutputParts;
  readonly #answer: Pick<DraftAnswer, 'size'>;
  readonly #numbering: EventNumbering;

  /** @param answer the answer so far; no event is accepted while it is too large */
  constructor(parts: RunOutputParts, answer: Pick<DraftAnswer, 'size'>) {
    this.#parts = parts;
    this.#answer = answer;
    this.#numbering = new EventNumbering(parts.eventLimit);
  }

  /** Sends `run.started`. @param stored the event, if it is stored already */
  async start(stored: StoredEvent | undefined): Promise<void> {
    const { run, journal, live, meter } = this.#parts;
    const event = stored ?? startedEvent({ agent_id: run.agentId, message_id: run.message.id });
    this.#numbering.startAfter(event);
    if (!stored) await journal.commit({ runId: run.runId, event });
    meter.event(event.event);
    live.publish(event);
  }

  /** Sends deferred events together, at once. They are stored soon. */
  publish(...events: readonly SerializedEvent[]): void {
    const { journal, run, meter, live } = this.#parts;
    const numbered = events.map(({ event, json }) => {
      const next = this.#next(event, json);
      journal.gather({ runId: run.runId, event: next });
      meter.event(event);
      return next;
    });
    live.publish(...numbered);
  }

  /** Stores an event and sends it; a deferred one the other way round. */
  async write({ event, json }: SerializedEvent, message?: AnsweredMessage): Promise<void> {
    if (deferredEvents.has(event)) return this.publish({ event, json });
    const { live, meter } = this.#parts;
    const next = this.#next(event, json);
    await this.#store({ event: next, ...(message ? { message: this.#newMessage(message) } : {}) });
    meter.event(event);
    live.publish(next);
  }

  /** Stores a message with the event that contains it, and sends the event. */
  async writeMessage(event: string, data: Data, message: AnsweredMessage): Promise<void> {
    const withMessage = { ...data, message_id: message.id, message: this.#toWire(message) };
    await this.write({ event, json: eventJson(withMessage) }, message);
  }

  /** Returns what is to be stored and sent at the end of an answer. */
  answerEntries(message: AnsweredMessage): readonly AnswerEntry[] {
    const { id } = message;
    const created = eventJson({ message_id: id, message: this.#toWire(message) });
    return [
      { event: this.#next('message.created', created), message: this.#newMessage(message) },
      { event: this.#next('message.completed', eventJson({ message_id: id })) },
    ];
  }

  /** Stores and sends the end of an answer. */
  async writeAnswer(entries: readonly AnswerEntry[]): Promise<void> {
    const { live, meter } = this.#parts;
    await Promise.all(entries.map((entry) => this.#store(entry)));
    for (const { event } of entries) meter.event(event.event);
    live.publish(...entries.map(({ event }) => event));
  }

  /** Excludes the visitor's message from later turns; written together with the end of the run. */
  withhold(): void {
    const { journal, run } = this.#parts;
    const { runId, threadId, tenantId, subject: author } = run;
    const message = markWithheld(run.message);
    const withheld = {
      id: message.id,
      threadId,
      tenantId,
      author,
      runId,
      role: message.role ?? 'user',
      message,
    };
    journal.gather({ runId, message: withheld });
  }

  /**
   * Ends the run after a question to the visitor: the stream closes without `done`.
   * @source seen on the wire: `message.interrupt`, then the stream closes
   */
  async endWaiting(): Promise<StoredRunStatus> {
    const { run, journal, meter } = this.#parts;
    try {
      await journal.commit({ runId: run.runId, ended: { status: 'waiting', at: this.#numbering.ms } });
    } catch (error) {
      if (error instanceof RunAborted) return this.#endElsewhere(error.reason);
      meter.error(error);
      if (isUnwritable(error)) await this.#storeEnd('waiting', []);
    }
    return 'waiting';
  }

  /** @throws AgentFailure for the data of a large event */
  check(json: string): void {
    this.#numbering.check(json);
  }

  /**
   * Stores and sends the terminal event and `done`, and the end of the answer in the same commit.
   * @returns the final status: another one if the answer could not be stored, or the run was lost
   */
  async end(
    { event, json, status }: SerializedEvent & { readonly status: StoredRunStatus },
    { answer, partial }: { readonly answer: readonly AnswerEntry[]; readonly partial?: AnsweredMessage },
  ): Promise<StoredRunStatus> {
    const { run, journal, live, meter } = this.#parts;
    const [last, done] = this.#numbering.ends(event, json);
    try {
      for (const entry of answer) journal.gather({ runId: run.runId, ...entry });
      const message = partial && this.#newMessage(partial);
      journal.gather({ runId: run.runId, event: last, ...(message ? { message } : {}) });
      await journal.commit({ runId: run.runId, event: done, ended: { status, at: done.ms } });
    } catch (error) {
      if (error instanceof RunAborted) return this.#endElsewhere(error.reason);
      meter.error(error);
      if (isUnwritable(error)) {
        if (answer.length > 0) {
          // only one of the two may be unwritable
          await this.writeAnswer(answer);
          return this.end({ event, json, status }, { answer: [] });
        }
        await this.#storeEnd(status, [last, done]);
      } else if (answer.length > 0) {
        // The store is away. The journal writes the answer later, so it must not be acknowledged now.
        const failed = eventJson({ agent_id: run.agentId, ...notStored.data });
        meter.failed(errorCode(notStored.data));
        this.#sendEnd([
          { ...last, event: 'run.failed', json: failed },
          { ...done, json: failed },
        ]);
        return 'failed';
      }
      this.#sendEnd([last, done]);
      return status;
    }
    this.#sendEnd([...answer.map((entry) => entry.event), last, done]);
    live.settle();
    return status;
  }

  /** Sends the end of a run that was lost: its store has this end already. */
  #endElsewhere(end: RunEndReason): StoredRunStatus {
    const { event, data, status, reason } = runEnds[end];
    this.#parts.meter.failed(reason ?? errorCode(data));
    const json = eventJson({ agent_id: this.#parts.run.agentId, ...data });
    this.#sendEnd(this.#numbering.ends(event, json));
    return status;
  }

  #sendEnd(events: readonly StoredEvent[]): void {
    for (const { event } of events) this.#parts.meter.event(event);
    this.#parts.live.end(...events);
  }

  /**
   * Stores the end of a run whose last events could not be stored, without their data; otherwise its followers would
   * wait forever.
   */
  async #storeEnd(status: StoredRunStatus, events: readonly StoredEvent[]): Promise<void> {
    const { run, journal, meter } = this.#parts;
    const json = eventJson({ agent_id: run.agentId });
    for (const event of events) journal.gather({ runId: run.runId, event: { ...event, json } });
    await journal
      .commit({ runId: run.runId, ended: { status, at: this.#numbering.ms } })
      .catch((error: unknown) => meter.error(error));
  }

  /** @throws ServiceFailure `not_stored` when the store fails, which is no fault of the agent */
  async #store(entry: AnswerEntry): Promise<void> {
    const { journal, run } = this.#parts;
    try {
      await journal.commit({ runId: run.runId, ...entry });
    } catch (error) {
      throw error instanceof RunAborted || isUnwritable(error) ? error : answerNotStored(error);
    }
  }

  /** @throws AgentFailure when the event, or the answer so far, is too large */
  #next(event: string, json: string): StoredEvent {
    const { eventLimit } = this.#parts;
    if (this.#answer.size > eventLimit) throw tooLarge(`a message larger than ${eventLimit} bytes`);
    return this.#numbering.next(event, json);
  }

  #toWire({ id, message }: AnsweredMessage): Data {
    return { ...withAuthor(message, { kind: 'agent', id: this.#parts.run.agentId }), id };
  }

  #newMessage({ id, role, message }: AnsweredMessage): NewMessage {
    const { run, meter } = this.#parts;
    const { runId, threadId, tenantId, agentId } = run;
    meter.answered(message);
    return { id, threadId, tenantId, author: storedAgent(agentId), runId, role, message };
  }
}
