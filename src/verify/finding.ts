/**
 * `fault`: the widget cannot work properly with this server. `advice`: it can, but somebody will miss something.
 * `absent`: an extension that is not offered. `unknown`: could not be told from this run.
 */
export type FindingKind = 'ok' | 'fault' | 'advice' | 'absent' | 'unknown';

/** What one check found. */
export interface Finding {
  readonly kind: FindingKind;
  /** Short and stable, like `framing` or `end of the stream`. */
  readonly check: string;
  /** What was seen, in a sentence. */
  readonly seen: string;
  /** What to do; with faults and advice. */
  readonly remedy?: string;
}

/** Makes the findings of a group of checks, in order. */
export class Findings {
  readonly list: Finding[] = [];

  ok(check: string, seen: string): void {
    this.list.push({ kind: 'ok', check, seen });
  }

  fault(check: string, seen: string, remedy: string): void {
    this.list.push({ kind: 'fault', check, seen, remedy });
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
