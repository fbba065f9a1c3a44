import { pause, type AgentRun } from './agent.ts';

/** Default delay between the words of a scripted answer, in ms. `additional_parameters.delay_ms` replaces it. */
export const wordDelayMs = 28;

/** Waits for a scripted delay, scaled to the `delay_ms` of the run. */
export async function waitAtPace(run: AgentRun, delayMs: number): Promise<void> {
  const scaledMs = delayMs * paceOf(run);
  if (scaledMs >= 1) await pause(scaledMs, run.signal);
}

/** The pace that the run asks for, relative to the default. */
function paceOf(run: AgentRun): number {
  const requestedMs = run.additionalParameters['delay_ms'];
  return typeof requestedMs === 'number' && Number.isFinite(requestedMs) && requestedMs >= 0
    ? Math.min(requestedMs, 5_000) / wordDelayMs
    : 1;
}
