import type { StoredMessage } from '../../protocol/index.ts';
import type { AgentEvent, AgentRun } from '../agents/agent.ts';
import { normalEvents, type NormalEvent } from '../agents/normal-events.ts';
import { checkData } from './check-data.ts';
import { activeGuardrails, checkText, type ActiveGuardrail } from './check-text.ts';
import { detectByUrl } from './detect-by-url.ts';
import type { Detector } from './detector.ts';
import { GuardrailStop, type GuardrailName } from './guardrail-stop.ts';
import { HeldText } from './held-text.ts';

/** Puts an agent behind the guardrails of its request. */
export type Guard = (
  run: AgentRun,
  events: (run: AgentRun) => AsyncIterable<AgentEvent>,
) => AsyncIterable<AgentEvent>;

/** Makes the guard of a service: built-in detectors for `pii` and `hap`, and those at the addresses it is given. */
export function createGuard(urls: Readonly<Record<GuardrailName, string | undefined>>): Guard {
  const remote = (name: GuardrailName): Detector | undefined => {
    const url = urls[name];
    return url === undefined ? undefined : detectByUrl(url);
  };
  const social = remote('social_bias');
  const detectors = {
    pii: remote('pii') ?? whenAsked(async () => (await import('./detect-pii.ts')).detectPii),
    hap: remote('hap') ?? whenAsked(async () => (await import('./detect-hap.ts')).detectHap),
    ...(social ? { social_bias: social } : {}),
  };

  return (run, events) => {
    const input = activeGuardrails(run.guardrails, 'input', detectors);
    const output = activeGuardrails(run.guardrails, 'output', detectors);
    if (input.length === 0 && output.length === 0) return events(run);
    return guarded(run, events, { input, output });
  };
}

/** Loads a detector's library when it is first needed: the service starts without it. */
function whenAsked(load: () => Promise<Detector>): Detector {
  return async (text, signal) => (await load())(text, signal);
}

async function* guarded(
  run: AgentRun,
  events: (run: AgentRun) => AsyncIterable<AgentEvent>,
  { input, output }: Readonly<Record<'input' | 'output', readonly ActiveGuardrail[]>>,
): AsyncGenerator<AgentEvent> {
  const safe = input.length === 0 ? run : await checkedRun(run, input);
  if (output.length === 0) yield* events(safe);
  else yield* checkedEvents(safe, normalEvents(events(safe)), output);
}

/**
 * The run as the agent may see it: what must be masked in the visitor's words is, in earlier turns too, and an earlier
 * message that would be stopped today is left out.
 */
async function checkedRun(run: AgentRun, guardrails: readonly ActiveGuardrail[]): Promise<AgentRun> {
  const check = (text: string): Promise<string> => checkText(text, guardrails, run.signal);
  const message = { ...run.message, content: await checkData(run.message.content, check) };
  const history: StoredMessage[] = [];
  for (const earlier of run.history) {
    try {
      history.push({ ...earlier, content: await checkData(earlier.content, check) });
    } catch (fault) {
      if (!(fault instanceof GuardrailStop && fault.code === 'guardrail')) throw fault;
    }
  }
  return { ...run, message, history };
}

/** Passes events on once they are checked. Text waits for the end of its sentence, the rest does not wait. */
async function* checkedEvents(
  run: AgentRun,
  events: AsyncIterable<NormalEvent>,
  guardrails: readonly ActiveGuardrail[],
): AsyncGenerator<NormalEvent> {
  const check = (text: string): Promise<string> => checkText(text, guardrails, run.signal);
  const held = new Map<string, { text: HeldText; wrap: (text: string) => NormalEvent }>();
  const release = async function* (besides?: string): AsyncGenerator<NormalEvent> {
    for (const [name, { text, wrap }] of held) {
      if (name === besides || text.isEmpty) continue;
      yield wrap(await check(text.rest()));
    }
  };

  for await (const given of events) {
    const stream = textStream(given);
    if (!stream) {
      if (!quiet.has(given.event)) yield* release();
      yield { event: given.event, data: await checkData(given.data, check) };
      continue;
    }
    yield* release(stream.name);
    const waiting = held.get(stream.name) ?? { text: new HeldText(), wrap: stream.wrap };
    held.set(stream.name, waiting);
    const whole = waiting.text.add(stream.text);
    if (whole !== '') yield stream.wrap(await check(whole));
  }
  yield* release();
}

/** Events that say nothing of the answer itself and need not wait for it. */
const quiet: ReadonlySet<string> = new Set([
  'run.step.intermediate',
  'run.step.started',
  'run.step.completed',
  'run.step.failed',
  'run.step.delta',
  'planning',
]);

/** The growing text an event adds to, if it is one: a single text item, or reasoning. */
function textStream({
  event,
  data,
}: NormalEvent): { name: string; text: string; wrap: (text: string) => NormalEvent } | undefined {
  if (event === 'run.step.thinking' && typeof data['thinking'] === 'string') {
    return {
      name: 'thinking',
      text: data['thinking'],
      wrap: (text) => ({ event, data: { ...data, thinking: text } }),
    };
  }
  if (event !== 'message.delta') return undefined;
  const delta = data['delta'] as { content?: readonly Record<string, unknown>[] } | undefined; // the normal form of a delta
  const [item, ...others] = delta?.content ?? [];
  if (
    !item ||
    others.length > 0 ||
    typeof item['text'] !== 'string' ||
    (item['response_type'] ?? 'text') !== 'text'
  )
    return undefined;
  return {
    name: `item ${String(item['id'] ?? '1')}`,
    text: item['text'],
    wrap: (text) => ({ event, data: { ...data, delta: { ...delta, content: [{ ...item, text }] } } }),
  };
}
