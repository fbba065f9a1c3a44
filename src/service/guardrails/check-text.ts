import type { Guardrails } from '../../protocol/index.ts';
import type { Detector, Finding } from './detector.ts';
import { guardrailNames, GuardrailError, type GuardrailName } from './guardrail-error.ts';

/** A guardrail of a request, prepared for one side. */
export interface ActiveGuardrail {
  readonly name: GuardrailName;
  readonly side: 'input' | 'output';
  readonly threshold: number;
  /** Whether findings are masked and the run continues. */
  readonly mask: boolean;
  readonly detect: Detector;
}

/** The default threshold. @assumed the interface names none */
const defaultThreshold = 0.5;

/**
 * Returns the guardrails that a request enables on one side.
 * @throws GuardrailError when an enabled guardrail has no detector
 */
export function activeGuardrails(
  guardrails: Guardrails,
  side: 'input' | 'output',
  detectors: Readonly<Partial<Record<GuardrailName, Detector>>>,
): ActiveGuardrail[] {
  return guardrailNames.flatMap((name): ActiveGuardrail[] => {
    const guardrail = guardrails[name];
    if (!guardrail?.[side]?.enabled) return [];
    const detect = detectors[name];
    if (!detect) {
      throw new GuardrailError(
        name,
        side,
        `The guardrail "${name}" is enabled, but this service has no detector for it.`,
        'no_detector',
      );
    }
    return [
      {
        name,
        side,
        threshold: guardrail[side].threshold ?? defaultThreshold,
        mask: guardrail.mask?.remove_entity_value === true,
        detect,
      },
    ];
  });
}

/**
 * Checks a text. Returns it, with findings masked if the request allows that.
 * @throws GuardrailError when a finding may not be masked, or a detector fails
 */
export async function checkText(
  text: string,
  guardrails: readonly ActiveGuardrail[],
  signal: AbortSignal,
): Promise<string> {
  let checked = text;
  for (const guardrail of guardrails) {
    if (checked.trim() === '') return checked;
    const found = await findingsOf(checked, guardrail, signal);
    if (found.length === 0) continue;
    if (!guardrail.mask) throw new GuardrailError(guardrail.name, guardrail.side, messageFor(guardrail));
    checked = masked(checked, found, guardrail.name);
  }
  return checked;
}

async function findingsOf(text: string, guardrail: ActiveGuardrail, signal: AbortSignal): Promise<Finding[]> {
  let found: readonly Finding[];
  try {
    found = await guardrail.detect(text, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new GuardrailError(
      guardrail.name,
      guardrail.side,
      `The guardrail "${guardrail.name}" could not be checked.`,
      error instanceof Error && error.name === 'TimeoutError' ? 'detector_timeout' : 'detector_failed',
      { cause: error },
    );
  }
  return found.filter((one) => one.score > guardrail.threshold);
}

function messageFor({ name, side }: ActiveGuardrail): string {
  const what = { hap: 'hateful or abusive language', social_bias: 'biased language', pii: 'personal data' }[
    name
  ];
  return side === 'input'
    ? `The message seems to contain ${what} and was not passed on.`
    : `The answer was stopped because it seemed to contain ${what}.`;
}

function masked(text: string, found: readonly Finding[], name: GuardrailName): string {
  let result = '';
  let offset = 0;
  for (const { start, end, kind } of [...found].sort((one, other) => one.start - other.start)) {
    if (end <= offset) continue;
    if (start >= offset) result += `${text.slice(offset, start)}[${name === 'pii' ? kind : 'REMOVED'}]`;
    offset = end;
  }
  return result + text.slice(offset);
}
