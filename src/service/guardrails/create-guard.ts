import type { StoredMessage } from '../../protocol/index.ts';
import type { AgentEvent, AgentRun } from '../agents/agent.ts';
import { inTurns } from '../agents/fair-turns.ts';
import { normalizeEvents } from '../agents/normalize-events.ts';
import { checkData } from './check-data.ts';
import { checkEvents } from './check-events.ts';
import { activeGuardrails, checkText, type ActiveGuardrail } from './check-text.ts';
import { detectByUrl } from './detect-by-url.ts';
import { detectInWorker } from './detect-in-worker.ts';
import type { Detector } from './detector.ts';
import { GuardrailError, type GuardrailName } from './guardrail-error.ts';

/** Applies the guardrails of a request to an agent. Throws `GuardrailError`. */
export interface Guard {
  /** Runs the agent on the checked input and yields the checked output. */
  events(run: AgentRun, ask: (run: AgentRun) => AsyncIterable<AgentEvent>): AsyncIterable<AgentEvent>;
  /** Checks the whole text that the streamed pieces add up to. */
  composed<Content>(run: AgentRun, content: Content, signal: AbortSignal): Promise<Content>;
}

/**
 * Creates the guard of a service: built-in detectors for `pii` and `hap`, and detectors at the given URLs.
 */
export function createGuard(urls: Readonly<Record<GuardrailName, string | undefined>>): Guard {
  const remote = (name: GuardrailName): Detector | undefined => {
    const url = urls[name];
    return url === undefined ? undefined : detectByUrl(url);
  };
  const social = remote('social_bias');
  const detectors = {
    pii: remote('pii') ?? detectInWorker('pii', async () => (await import('./detect-pii.ts')).detectPii),
    hap: remote('hap') ?? detectInWorker('hap', async () => (await import('./detect-hap.ts')).detectHap),
    ...(social ? { social_bias: social } : {}),
  };

  return {
    events(run, ask) {
      const input = activeGuardrails(run.guardrails, 'input', detectors);
      const output = activeGuardrails(run.guardrails, 'output', detectors);
      if (input.length === 0 && output.length === 0) return ask(run);
      return guarded(run, ask, { input, output });
    },
    async composed(run, content, signal) {
      const output = activeGuardrails(run.guardrails, 'output', detectors);
      if (output.length === 0) return content;
      return checkData(content, (text) => checkText(text, output, signal));
    },
  };
}

async function* guarded(
  run: AgentRun,
  events: (run: AgentRun) => AsyncIterable<AgentEvent>,
  { input, output }: Readonly<Record<'input' | 'output', readonly ActiveGuardrail[]>>,
): AsyncGenerator<AgentEvent> {
  const safe = input.length === 0 ? run : await checkedRun(run, input);
  if (output.length === 0) {
    yield* events(safe);
    return;
  }
  const check = (text: string): Promise<string> => checkText(text, output, run.signal);
  const checked = { ...safe, checkOutput: <Value>(value: Value) => checkData(value, check) };
  yield* checkEvents(inTurns(normalizeEvents(events(checked))), check);
}

/**
 * Returns the run with masked input, including earlier turns. Earlier messages that the guardrails would stop
 * are left out.
 */
async function checkedRun(run: AgentRun, guardrails: readonly ActiveGuardrail[]): Promise<AgentRun> {
  const check = (text: string): Promise<string> => checkText(text, guardrails, run.signal);
  const message = { ...run.message, content: await checkData(run.message.content, check) };
  const history: StoredMessage[] = [];
  for (const earlier of run.history) {
    try {
      history.push({ ...earlier, content: await checkData(earlier.content, check) });
    } catch (error) {
      if (!(error instanceof GuardrailError && error.code === 'guardrail')) throw error;
    }
  }
  return { ...run, message, history, checkInput: (value) => checkData(value, check) };
}
