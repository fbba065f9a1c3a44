/** A finding in a text: range, kind and score (0 to 1). `end` is exclusive. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** Upper case; a mask shows it in brackets. */
  readonly kind: string;
  readonly score: number;
}

/** Searches a text for violations of one guardrail. @throws when it cannot decide */
export type Detector = (text: string, signal: AbortSignal) => Promise<readonly Finding[]>;
