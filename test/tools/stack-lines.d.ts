/** Leaves the test runner's own lines out of stack traces. */
export function leaveOutRunner(): void;
/** Keeps the steps of tests in their process. */
export function keepSteps(): void;
