/** Runs something after a time limit in milliseconds; 0, or what is no limit: never. */
export function startTimer(milliseconds: number, run: () => void): ReturnType<typeof setTimeout> | undefined {
  return milliseconds > 0 && Number.isFinite(milliseconds) ? setTimeout(run, milliseconds) : undefined;
}
