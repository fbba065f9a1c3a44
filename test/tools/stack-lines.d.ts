/** Writes the lines of stack traces that are the test runner's own as they are. */
export function leaveRunnerUnmapped(): void;
