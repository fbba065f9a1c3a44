import type { WireDiagnostic } from '../client/agent-client.ts';
import type { SessionContext } from './session-context.ts';
import { httpStatus } from './run-failure.ts';

/**
 * Posts a notification when a message arrives unseen, and deletes it once the visitor sees the thread. Stops, with one
 * diagnostic, when the service refuses notifications.
 */
export class Notifier {
  readonly #context: SessionContext;
  #isAttended = true;
  #isRefused = false;
  /** Notifications that were posted and not read, by thread id. */
  readonly #posted = new Map<string, Promise<unknown>>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  get isAttended(): boolean {
    return this.#isAttended;
  }

  /** Whether the visitor sees the conversation. When it becomes true, the thread's notification is deleted. */
  set isAttended(isAttended: boolean) {
    this.#isAttended = isAttended;
    this.threadChanged();
  }

  /** Call after the thread may have changed. */
  threadChanged(): void {
    const { threadId } = this.#context.store.conversation;
    const posted = threadId !== undefined && this.#posted.get(threadId);
    if (!this.#isAttended || !posted) return;
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
    if (this.#isAttended || this.#isRefused || threadId === undefined || settings().notifications === false)
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
      const status = httpStatus(error);
      this.#isRefused = status !== undefined && status < 500 && status !== 429;
      if (!this.#isRefused) return;
      this.#context.diagnose(notificationsRefused(status));
    }
  }
}

/** The diagnostic for a service that refuses notifications. */
function notificationsRefused(status: number | undefined): WireDiagnostic {
  return {
    code: 'notifications-refused',
    message: `The service answered ${status} to a notification, so no more are posted. Give the token the scope "notify", or set notifications to "off".`,
  };
}
