import type { SessionContext } from './session-context.ts';
import { httpStatus, isFinal } from './run-failure.ts';

/**
 * Posts a notification for a message that arrived unseen, and deletes it once the visitor sees the thread. Stops, with
 * one diagnostic, when the service refuses notifications. Loads with the first such message.
 */
export class Notifier {
  readonly #context: SessionContext;
  #isRefused = false;
  /** Notifications that were posted and not read, by thread id. */
  readonly #posted = new Map<string, Promise<unknown>>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Deletes the notification of a thread that the visitor sees, if there is one. */
  read(threadId: string): void {
    const posted = this.#posted.get(threadId);
    if (!posted) return;
    this.#posted.delete(threadId);
    // wait for the post: otherwise the notification could be stored after the deletion
    void posted.then(() => this.#attempt(() => this.#context.client().deleteNotifications(threadId)));
  }

  /** Assumes that a thread has a notification from before the reload, so that it is deleted too. */
  resume(threadId: string): void {
    this.#posted.set(threadId, this.#previousRequest(threadId));
  }

  /** Posts a notification of a run that has ended, or of a callback message. */
  post(threadId: string, runId: string | undefined): void {
    const notification = {
      id: this.#context.clock.uuid(),
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
