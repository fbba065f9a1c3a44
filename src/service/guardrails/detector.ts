/** Something found in a text: where, of which kind, and how surely (0 to 1). `end` is exclusive. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** In capitals; what a mask shows in brackets. */
  readonly kind: string;
  readonly score: number;
}

/** Looks for what a guardrail is about. @throws when it cannot say. */
export type Detector = (text: string, signal: AbortSignal) => Promise<readonly Finding[]>;
