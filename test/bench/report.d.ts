/** What one answer, shown one way, has cost. */
export interface Result {
  readonly way: string;
  readonly shape: string;
  readonly size: number;
  readonly round: number;
  readonly main: number;
  readonly script: number;
  readonly firstToken: number;
  readonly painted: number;
  readonly missed: number;
  readonly longTasks: number;
}
/** What a way's page fetches, in kB after brotli. */
export interface Weight {
  readonly load: number;
  readonly answer: number;
  readonly otherHosts: readonly string[];
}
/** One run of the bench. */
export interface Run {
  readonly machine: string;
  readonly rate: number;
  readonly throttle: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly weights: Readonly<Record<string, Weight>>;
  readonly results: readonly Result[];
}
export function reportLines(run: Run): string[];
