/** Measurements of one answer in one way of showing it. Times in ms. */
export interface Result {
  /** What shows the answer: `floor`, or a library. */
  readonly way: string;
  readonly shape: string;
  /** Length of the answer in characters. */
  readonly size: number;
  readonly round: number;
  /** Main thread, in total. */
  readonly main: number;
  /** Main thread, scripts only. */
  readonly script: number;
  readonly firstToken: number;
  /** From the last byte until the answer is painted. */
  readonly painted: number;
  /** Number of missed frames. */
  readonly missed: number;
  /** Frames that were drawn with more text than the one before, per second while text arrives. */
  readonly drawsPerSecond: number;
  /** Number of long tasks. */
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
