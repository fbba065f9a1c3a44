/** The three guardrails of the interface. @source interface, "Guardrails" */
export const guardrailNames = ['hap', 'social_bias', 'pii'] as const;
export type GuardrailName = (typeof guardrailNames)[number];

/**
 * Why a guardrail stops a run: something was found (`guardrail`), the detector did not answer in time or not as it
 * should, or there is none.
 */
export type GuardrailErrorCode = 'guardrail' | 'detector_timeout' | 'detector_failed' | 'no_detector';

/** Ends a run because of a guardrail. Holds nothing of the offending text; `cause` is what a detector failed of, for the log. */
export class GuardrailError extends Error {
  override readonly name = 'GuardrailStop';
  readonly side: 'input' | 'output';
  readonly code: GuardrailErrorCode;
  /** What `run.failed` says. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    guardrail: GuardrailName,
    side: 'input' | 'output',
    message: string,
    code: GuardrailErrorCode = 'guardrail',
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.side = side;
    this.code = code;
    this.data = { reason: 'guardrail', guardrail, side, error: { code, message } };
  }
}
