import type { SessionContext } from './session-context.ts';
import { httpStatus, isFinal } from './run-failure.ts';

/**
 * Posts a notification when a message arrives unseen, and deletes it once the visitor sees the thread. Stops, with one
 * diagnostic, when the service refuses notifications.
 */
export class Notifier {
  /** Whether the visitor sees the conversation. */
  isAttended = true;
  readonly #context: SessionContext;
  #isRefused = false;
  /** Notifications that were posted and not read, by thread id. */
  readonly #posted = new Map<string, Promise<unknown>>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Deletes the thread's notification if the visitor sees the thread. Call after either may have changed. */
  update(): void {
    const { threadId } = this.#context.store.conversation;
    const posted = threadId !== undefined && this.#posted.get(threadId);
    if (!this.isAttended || !posted) return;
    this.#posted.delete(threadId);
    // wait for the post: otherwise the notification could be stored after the deletion
    void posted.then(() => this.#attempt(() => this.#context.client().deleteNotifications(threadId)));
  }

  /** Assumes that the thread has a notification from before the reload, so that it is deleted too. */
  resumeNotification(): void {
    const { threadId } = this.#context.store.conversation;
    if (threadId !== undefined) this.#posted.set(threadId, this.#previousRequest(threadId));
  }

  /** Posts a notification if nobody watches. Call it when a run ends or a callback message arrives. */
  messageArrived(runId: string | undefined): void {
    const { store, clock, settings } = this.#context;
    const { threadId } = store.conversation;
    if (this.isAttended || this.#isRefused || threadId === undefined || settings().notifications === false)
      return;
    const notification = {
      id: clock.uuid(),
      thread_id: threadId,
      ...(runId === undefined ? {} : { run_id: runId }),
    };
    this.#posted.set(
      threadId,
      this.#previousRequest(threadId).then(() =>
        this.#attempt(() => this.#context.client().createNotification(notification)),
      ),
    );
  }

  /** Resolves after the thread's previous request. */
  #previousRequest(threadId: string): Promise<unknown> {
    return Promise.resolve(this.#posted.get(threadId));
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    if (this.#isRefused) return;
    try {
      await work();
    } catch (error) {
      if (!isFinal(error)) return;
      this.#isRefused = true;
      this.#context.diagnose({
        code: 'notifications-refused',
        message: `The service answered ${httpStatus(error)} to a notification, so no more are posted. Give the token the scope "notify", or set notifications to "off".`,
      });
    }
  }
}
