/**
 * Writes the lines of stack traces that are the test runner's own as they are. Playwright takes a trace with every call
 * and every hook, and looks up each of its lines in source maps, which only tests and sources have: half of the
 * processor time of a short test.
 */
export function leaveRunnerUnmapped() {
  const mapped = Error.prepareStackTrace;
  if (!mapped) return;
  Error.prepareStackTrace = (error, frames) => {
    const head = mapped(error, []);
    const lines = frames.map((frame) =>
      frame.getFileName()?.includes('/node_modules/playwright')
        ? `\n    at ${String(frame).replace(/^async /, '')}`
        : mapped(error, [frame]).slice(head.length),
    );
    return head + lines.join('');
  };
}
