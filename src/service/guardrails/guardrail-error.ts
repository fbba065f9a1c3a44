/** The three guardrails of the interface. @source interface, "Guardrails" */
export const guardrailNames = ['hap', 'social_bias', 'pii'] as const;
export type GuardrailName = (typeof guardrailNames)[number];

/**
 * Why a guardrail stopped a run: a finding (`guardrail`), a detector that timed out or failed, or no
 * detector.
 */
export type GuardrailErrorCode = 'guardrail' | 'detector_timeout' | 'detector_failed' | 'no_detector';

/**
 * Ends a run because of a guardrail. Does not quote the offending text. `cause` is the detector's error, for the
 * log.
 */
export class GuardrailError extends Error {
  override readonly name = 'GuardrailError';
  readonly guardrail: GuardrailName;
  readonly side: 'input' | 'output';
  readonly code: GuardrailErrorCode;
  /**
   * The data of `run.failed`. Its `reason` is `guardrail` for a finding only: the visitor may retry what was not
   * checked.
   */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    guardrail: GuardrailName,
    side: 'input' | 'output',
    message: string,
    code: GuardrailErrorCode = 'guardrail',
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.guardrail = guardrail;
    this.side = side;
    this.code = code;
    this.data = { reason: code, guardrail, side, error: { code, message } };
  }
}
