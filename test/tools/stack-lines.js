/**
 * Leaves the test runner's own lines out of stack traces, as its reports do. Playwright takes a trace with every call,
 * every `expect` and every hook, looks up each of its lines in source maps, which only tests and sources have, and
 * parses them: half of the processor time of a short test.
 */
export function leaveOutRunner() {
  const mapped = Error.prepareStackTrace;
  if (!mapped) return;
  Error.prepareStackTrace = (error, frames) =>
    mapped(
      error,
      frames.filter((frame) => !isOfRunner(frame.getFileName())),
    );
}

function isOfRunner(file) {
  return file?.includes('/node_modules/playwright');
}

/** Keeps the steps of tests in their process: each `expect` and each hook is two messages, which no reporter here reads. */
export function keepSteps() {
  const { send } = process;
  if (!send) return;
  process.send = (message, ...rest) =>
    message?.params?.method === 'stepBegin' || message?.params?.method === 'stepEnd'
      ? true
      : send.call(process, message, ...rest);
}
