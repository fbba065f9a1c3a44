import type { AgentChat } from 'agent-chat';
import type { RecordedEvent, Recording } from './recording.ts';

/** Fired when events were added or cleared; at most once per frame. */
export class LogChangeEvent extends Event {
  static readonly type = 'log-change';
  constructor() {
    super(LogChangeEvent.type);
  }
}

/** An event in the log. */
export interface LogEntry extends RecordedEvent {
  /** Increases by one with each event. */
  readonly number: number;
  /** The run that it belongs to. */
  readonly runKey: string;
}

const limit = 2000;

/** Every raw event of every run of the preview. Keeps the latest 2,000. */
export class EventLog extends EventTarget {
  entries: readonly LogEntry[] = [];
  #number = 0;
  #frame = 0;
  #runStart = 0;
  #words = '';
  #threadId: string | undefined;

  constructor(preview: AgentChat) {
    super();
    preview.addEventListener('agent-chat-message-submit', (event) => {
      this.#runStart = performance.now();
      this.#words = (Array.isArray(event.message.content) ? event.message.content : [])
        .map((item) =>
          typeof item === 'object' && 'text' in item && typeof item.text === 'string' ? item.text : '',
        )
        .join('\n');
    });
    preview.addEventListener('agent-chat-run-event', (event) => this.#add(event.runEvent, event.runKey));
    preview.addEventListener('agent-chat-thread-change', (event) => (this.#threadId = event.threadId));
  }

  /** The preview's thread, once the service has assigned an id. */
  get threadId(): string | undefined {
    return this.#threadId;
  }

  clear(): void {
    this.entries = [];
    this.#announce();
  }

  /** The last run, ready to be saved; undefined if there is none. */
  lastRun(): Recording | undefined {
    const last = this.entries.at(-1);
    if (!last) return undefined;
    const events = this.entries.filter((entry) => entry.runKey === last.runKey);
    const start = Math.min(0, events[0]?.at ?? 0);
    return {
      message: this.#words || 'Replay',
      events: events.map(({ at, id, event, data }) => ({ at: at - start, id, event, data })),
    };
  }

  #add(event: { id?: unknown; event: string; data?: unknown }, runKey: string): void {
    const { data } = event;
    if (
      typeof data === 'object' &&
      data !== null &&
      'thread_id' in data &&
      typeof data.thread_id === 'string'
    ) {
      this.#threadId = data.thread_id;
    }
    this.#number += 1;
    const entry: LogEntry = {
      number: this.#number,
      runKey,
      at: Math.round(performance.now() - this.#runStart),
      id: typeof event.id === 'string' ? event.id : undefined,
      event: event.event,
      data,
    };
    this.entries = [...this.entries.slice(1 - limit), entry];
    this.#announce();
  }

  #announce(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.dispatchEvent(new LogChangeEvent());
    });
  }
}
