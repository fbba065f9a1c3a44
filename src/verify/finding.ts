/**
 * `error`: the widget does not work properly with this server. `advice`: it works, with limitations.
 * `absent`: an extension that is not offered. `unknown`: this run could not tell.
 */
export type FindingKind = 'ok' | 'error' | 'advice' | 'absent' | 'unknown';

/** The result of one check. */
export interface Finding {
  readonly kind: FindingKind;
  /** Short and stable, like `framing` or `end of the stream`. */
  readonly check: string;
  /** The observation, in a sentence. */
  readonly seen: string;
  /** The fix; for errors and advice. */
  readonly remedy?: string;
}

/** Collects the findings of checks, in order. */
export class Findings {
  readonly list: Finding[] = [];

  ok(check: string, seen: string): void {
    this.list.push({ kind: 'ok', check, seen });
  }

  error(check: string, seen: string, remedy: string): void {
    this.list.push({ kind: 'error', check, seen, remedy });
  }

  advice(check: string, seen: string, remedy: string): void {
    this.list.push({ kind: 'advice', check, seen, remedy });
  }

  absent(check: string, seen: string): void {
    this.list.push({ kind: 'absent', check, seen });
  }

  unknown(check: string, seen: string): void {
    this.list.push({ kind: 'unknown', check, seen });
  }
}
