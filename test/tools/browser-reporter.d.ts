/** Prints the counts of the browser tests as the last line. See browser-reporter.js. */
export function browserReporter(options: { root: string; result?: string | undefined }): {
  start(): void;
  stop(end: { sessions: readonly object[] }): void;
};
