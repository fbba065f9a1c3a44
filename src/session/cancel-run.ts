import { markStop } from '../conversation/index.ts';
import { failureOf, httpStatus } from './run-failure.ts';
import type { TurnHost } from './session-context.ts';

/** How long a stopped turn's stream is read on only to learn the run's id, in milliseconds. */
const idPatience = 5_000;

/** A run that is to be stopped at the service. */
export interface StoppedRun {
  readonly runKey: string;
  /** The run's id, else the `client_message_id` of what it answers. */
  readonly named: string | undefined;
  /** Gives the run's id once the stream does, where that is not known. */
  readonly learned: Promise<string> | undefined;
  readonly cancel: (runId: string) => Promise<void>;
}

/**
 * Tells the service to stop a run. While the run's id is not known it is named by its `client_message_id`; a service
 * that does not know that yet is told again as soon as the stream gives the id.
 */
export async function cancelRun(
  host: TurnHost,
  { runKey, named, learned, cancel }: StoppedRun,
): Promise<void> {
  let fault = named === undefined ? undefined : await attempt(() => cancel(named));
  if (fault && learned) {
    host.store.change((conversation) => markStop(conversation, runKey, false)); // as long as nothing else is known
    const runId = await withPatience(host, learned);
    if (runId !== undefined) fault = await attempt(() => cancel(runId));
  }
  host.store.change((conversation) => markStop(conversation, runKey, fault === undefined));
  if (!fault) return;
  const status = httpStatus(fault.error);
  host.diagnose({
    code: 'stop-unconfirmed',
    message:
      status === 404 || status === 405
        ? 'The run was stopped here, but the service offers no way to cancel it: the agent may go on.'
        : `The run was stopped here, but the service did not confirm it (${failureOf(fault.error).kind}): the agent may go on.`,
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

function withPatience(host: TurnHost, runId: Promise<string>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const takeBack = host.clock.after(idPatience, () => {
      resolve(undefined);
    });
    void runId.then((learned) => {
      takeBack();
      resolve(learned);
    });
  });
}
