import type { ThreadList } from '../../protocol/index.ts';

/** What the list of conversations reads and changes. */
export interface ThreadSource {
  /** The thread that is shown, if the service has created it. */
  readonly currentId: string | undefined;
  /**
   * Reads some threads.
   * @returns `undefined` when the service has no list
   * @throws the errors of the client
   */
  list(options: ThreadListQuery): Promise<ThreadList | undefined>;
  /** @throws the errors of the client */
  rename(threadId: string, title: string): Promise<void>;
  /** Deletes a thread at the service; starts a new one if it is shown. @throws the errors of the client */
  remove(threadId: string): Promise<void>;
  /** Shows a thread with its unsent text, and moves focus to it. */
  open(threadId: string, unread: number): void;
  /** Called when a thread was renamed or deleted. */
  onChange: (() => void) | undefined;
}

/** Which threads are read. */
export interface ThreadListQuery {
  readonly query?: string | undefined;
  /** `next` of the previous part. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the runtime for the visitor's threads, inside the widget only. */
export class ThreadsEvent extends Event {
  static readonly type = 'agent-chat-threads';
  constructor(readonly respondWith: (source: ThreadSource) => void) {
    super(ThreadsEvent.type, { bubbles: true, composed: true });
  }
}
