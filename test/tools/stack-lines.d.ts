/** Leaves the test runner's own lines out of stack traces. */
export function leaveOutRunner(): void;
