import type { Run } from './conversation.ts';

/** Status code of the answer to a call that the service did not take, by the answer's run. */
export function refusalOf(run: Run | undefined): number | undefined {
  const { status } = run?.failure ?? {};
  return run?.runId === undefined && status !== undefined && [403, 404, 409, 410, 413, 422].includes(status)
    ? status
    : undefined;
}
