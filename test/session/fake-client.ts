import type {
  AgentClient,
  AgentClientExtensions,
  FollowOptions,
  ListedMessage,
  StreamOptions,
} from '../../src/client/agent-client.ts';
import type { Message, Notification, RunEvent, RunRequest, StoredMessage } from '../../src/protocol/index.ts';

/** One stream that a test writes by hand. */
export class FakeStream {
  readonly request: RunRequest | undefined;
  readonly runId: string | undefined;
  readonly options: FollowOptions;
  /** Whether the reader closed or aborted it. */
  isClosed = false;
  readonly #queue: (RunEvent | { readonly error: unknown } | 'close')[] = [];
  #wake: () => void = () => undefined;
  #count = 0;

  constructor(options: FollowOptions, named: { readonly request?: RunRequest; readonly runId?: string }) {
    this.options = options;
    this.request = named.request;
    this.runId = named.runId;
  }

  get clientMessageId(): unknown {
    return this.request?.message.additional_properties?.['client_message_id'];
  }

  /** The response begins; its headers may name the run. */
  open(runId?: string): this {
    this.options.onOpen?.(runId === undefined ? undefined : { runId });
    return this;
  }

  /** The response says no. */
  refuse(status: number): this {
    this.options.onRefused?.(status);
    return this;
  }

  /** Puts an event on the wire; ids rise unless one is given. */
  emit(event: string, data: Record<string, unknown> = {}, id?: string): this {
    this.#count += 1;
    return this.#push({ id: id ?? `${1_770_000_000_000 + this.#count}-0`, event, data });
  }

  close(): this {
    return this.#push('close');
  }

  fail(error: unknown): this {
    return this.#push({ error });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent> {
    const { signal } = this.options;
    const wake = (): void => this.#wake();
    signal?.addEventListener('abort', wake);
    try {
      for (;;) {
        if (signal?.aborted) throw new DOMException('aborted', 'AbortError');
        const next = this.#queue.shift();
        if (next === 'close') return;
        if (next && 'error' in next) throw next.error;
        if (next) yield next as RunEvent;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      signal?.removeEventListener('abort', wake);
      this.isClosed = true;
    }
  }

  #push(entry: RunEvent | { readonly error: unknown } | 'close'): this {
    this.#queue.push(entry);
    this.#wake();
    return this;
  }
}

/** A client whose every answer a test decides. */
export class FakeClient implements AgentClient {
  readonly baseUrl = 'http://service.test';
  readonly posts: FakeStream[] = [];
  readonly replays: FakeStream[] = [];
  readonly threads: FakeStream[] = [];
  readonly cancelled: string[] = [];
  readonly callbacks: { readonly threadId: string; readonly message: Message }[] = [];
  readonly notified: Notification[] = [];
  readonly readThreads: string[] = [];
  history: readonly ListedMessage[] = [];
  /** What the next calls throw, by method; each fault is used up. */
  readonly faults: Record<string, unknown[]> = {};

  runStream(request: RunRequest, options: StreamOptions = {}): AsyncIterable<RunEvent> {
    const stream = new FakeStream(options, { request });
    this.posts.push(stream);
    return stream;
  }

  readonly extensions: AgentClientExtensions = {
    getEmbeddedChatConfig: () => Promise.reject(new Error('not used')),
    runEvents: (runId, options = {}) => {
      const stream = new FakeStream(options, { runId });
      this.replays.push(stream);
      return stream;
    },
    cancelRun: async (id) => {
      this.cancelled.push(id);
      this.#fault('cancelRun');
    },
    listMessages: async () => {
      this.#fault('listMessages');
      return this.history;
    },
    threadEvents: (threadId, options = {}) => {
      const stream = new FakeStream(options, { runId: threadId });
      this.threads.push(stream);
      return stream;
    },
    listThreads: () => Promise.resolve({ threads: [], next: null }),
    changeThread: () => Promise.resolve(undefined),
    deleteThread: () => Promise.resolve(),
    listNotifications: () => Promise.resolve([]),
  };

  putEmbeddedChatConfig(): Promise<never> {
    return Promise.reject(new Error('not used'));
  }

  async postCallback(threadId: string, message: Message): Promise<StoredMessage | undefined> {
    this.callbacks.push({ threadId, message });
    this.#fault('postCallback');
    return { ...message, id: `stored-${this.callbacks.length}` };
  }

  async createNotification(notification: Notification): Promise<Notification | undefined> {
    this.notified.push(notification);
    this.#fault('createNotification');
    return notification;
  }

  async deleteNotifications(threadId: string): Promise<void> {
    this.readThreads.push(threadId);
  }

  #fault(method: string): void {
    const fault = this.faults[method]?.shift();
    if (fault !== undefined) throw fault;
  }
}

/** An error as the client throws it, by its literal name. */
export function clientError(name: string, fields: Record<string, unknown> = {}): Error {
  const error = new Error(`${name} for a test`);
  return Object.assign(error, { name, ...fields });
}
