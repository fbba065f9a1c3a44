import type { TurnHost } from './turn-host.ts';
import { httpStatus } from './run-failure.ts';

/**
 * Posts a notification for what arrives while nobody looks, and deletes the thread's when somebody does. Without the
 * right to do so it says so once and stops.
 */
export class Notifier {
  readonly #host: TurnHost;
  #isAttended = true;
  #isRefused = false;
  #posted: Promise<unknown> | undefined;

  constructor(host: TurnHost) {
    this.#host = host;
  }

  get isAttended(): boolean {
    return this.#isAttended;
  }

  /** Whether the visitor sees the conversation. What was posted before is deleted once it is read. */
  set isAttended(isAttended: boolean) {
    if (this.#isAttended === isAttended) return;
    this.#isAttended = isAttended;
    const posted = this.#posted;
    if (!isAttended || posted === undefined) return;
    this.#posted = undefined;
    const { threadId } = this.#host.store.conversation;
    if (threadId === undefined) return;
    // After the post, or the record would appear once it was deleted.
    void posted.then(() => this.#attempt(() => this.#host.client().deleteNotifications(threadId)));
  }

  /** One that was posted on an earlier visit may stand: reading deletes it. */
  recall(): void {
    this.#posted ??= Promise.resolve();
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
    const before = this.#posted;
    this.#posted = Promise.resolve(before).then(() =>
      this.#attempt(() => this.#host.client().createNotification(notification)),
    );
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
