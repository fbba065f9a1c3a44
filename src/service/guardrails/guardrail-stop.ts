/** The three guardrails of the interface. @source interface, "Guardrails" */
export const guardrailNames = ['hap', 'social_bias', 'pii'] as const;
export type GuardrailName = (typeof guardrailNames)[number];

/** Ends a run because of a guardrail. Holds nothing of the offending text. */
export class GuardrailStop extends Error {
  override readonly name = 'GuardrailStop';
  /** What `run.failed` says. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(guardrail: GuardrailName, side: 'input' | 'output', message: string, code = 'guardrail') {
    super(message);
    this.data = { reason: 'guardrail', guardrail, side, error: { code, message } };
  }
}
