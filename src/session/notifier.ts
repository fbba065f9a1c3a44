import type { TurnHost } from './session-context.ts';
import { httpStatus } from './run-failure.ts';

/**
 * Posts a notification for what arrives while nobody looks, and deletes the thread's when somebody does. Without the
 * right to do so it says so once and stops.
 */
export class Notifier {
  readonly #host: TurnHost;
  #isAttended = true;
  #isRefused = false;
  /** What was posted and not read yet, by thread: the page may turn to another meanwhile. */
  readonly #posted = new Map<string, Promise<unknown>>();

  constructor(host: TurnHost) {
    this.#host = host;
  }

  get isAttended(): boolean {
    return this.#isAttended;
  }

  /** Whether the visitor sees the conversation. What was posted before is deleted once it is read. */
  set isAttended(isAttended: boolean) {
    this.#isAttended = isAttended;
    this.threadChanged();
  }

  /** Perhaps the visitor sees another thread now. Cheap when nothing of it was posted. */
  threadChanged(): void {
    const { threadId } = this.#host.store.conversation;
    const posted = threadId !== undefined && this.#posted.get(threadId);
    if (!this.#isAttended || !posted) return;
    this.#posted.delete(threadId);
    // After the post, or the record would appear once it was deleted.
    void posted.then(() => this.#attempt(() => this.#host.client().deleteNotifications(threadId)));
  }

  /** One that was posted on an earlier visit may stand: reading deletes it. */
  recall(): void {
    const { threadId } = this.#host.store.conversation;
    if (threadId !== undefined) this.#posted.set(threadId, this.#before(threadId));
  }

  /** Something arrived: a run ended, or a message came by callback. */
  arrived(runId: string | undefined): void {
    const { store, clock, settings } = this.#host;
    const { threadId } = store.conversation;
    if (this.#isAttended || this.#isRefused || threadId === undefined || settings().notifications === false)
      return;
    const notification = {
      id: clock.uuid(),
      thread_id: threadId,
      ...(runId === undefined ? {} : { run_id: runId }),
    };
    this.#posted.set(
      threadId,
      this.#before(threadId).then(() =>
        this.#attempt(() => this.#host.client().createNotification(notification)),
      ),
    );
  }

  /** What was posted of a thread last, perhaps still on its way. */
  #before(threadId: string): Promise<unknown> {
    return Promise.resolve(this.#posted.get(threadId));
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    if (this.#isRefused) return;
    try {
      await work();
    } catch (error) {
      const status = httpStatus(error);
      this.#isRefused = status !== undefined && status < 500 && status !== 429;
      if (!this.#isRefused) return;
      const part = await import('./notifications-refused.ts').catch(() => undefined);
      if (part) this.#host.diagnose(part.notificationsRefused(status));
    }
  }
}
