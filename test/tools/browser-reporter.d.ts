/** Prints the counts of the browser tests as the last line. See browser-reporter.js. */
export function browserReporter(options: { root: string; result?: string | undefined }): {
  start(): void;
  stop(end: { sessions: readonly object[] }): void;
};

interface FileResult {
  readonly file: string;
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly skipped: number };
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly title: string;
  readonly lines: readonly string[];
}

interface RunResult {
  readonly files: readonly FileResult[];
}

/** The names of the files with failures. */
export function failedFiles(run: RunResult): string[];

/** The counts and failures of a run, and of a second one of its failed files. */
export function combineRuns(
  first: RunResult,
  second?: RunResult,
): { stats: FileResult['stats'] & { readonly flaky: number }; failures: readonly Failure[] };
