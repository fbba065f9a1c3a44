import { markStop } from '../conversation/index.ts';
import { failureOf, httpStatus } from './run-failure.ts';
import type { SessionContext } from './session-context.ts';

/** How long to read the stream of a stopped turn to learn the run's id, in milliseconds. */
const runIdTimeoutMs = 5_000;

/** A run to cancel at the service. */
export interface StoppedRun {
  readonly runKey: string;
  /** The run's id, or the `client_message_id` of its prompt. */
  readonly knownId: string | undefined;
  /** Resolves with the run's id once the stream contains it; undefined when the id is known. */
  readonly runIdFromStream: Promise<string> | undefined;
  readonly cancel: (runId: string) => Promise<void>;
}

/**
 * Cancels a run at the service, by its id or by its `client_message_id`. If the service does not know the latter yet,
 * the request is repeated as soon as the stream contains the run's id.
 */
export async function cancelRun(
  context: SessionContext,
  { runKey, knownId, runIdFromStream, cancel }: StoppedRun,
): Promise<void> {
  let failure = knownId === undefined ? undefined : await attempt(() => cancel(knownId));
  if (failure && runIdFromStream) {
    context.store.change((conversation) => markStop(conversation, runKey, false)); // not confirmed yet
    const runId = await withTimeout(context, runIdFromStream);
    if (runId !== undefined) failure = await attempt(() => cancel(runId));
  }
  context.store.change((conversation) => markStop(conversation, runKey, failure === undefined));
  if (!failure) return;
  const status = httpStatus(failure.error);
  context.diagnose({
    code: 'stop-unconfirmed',
    message:
      status === 404 || status === 405
        ? 'The run was stopped here, but the service offers no way to cancel it: the agent may go on.'
        : `The run was stopped here, but the service did not confirm it (${failureOf(failure.error).kind}): the agent may go on.`,
  });
}

async function attempt(work: () => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

function withTimeout(context: SessionContext, runId: Promise<string>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const cancelTimer = context.clock.after(runIdTimeoutMs, () => {
      resolve(undefined);
    });
    void runId.then((runIdFromStream) => {
      cancelTimer();
      resolve(runIdFromStream);
    });
  });
}
