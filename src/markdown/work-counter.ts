let steps = 0;

/** Counts characters that were processed. Tests check that the count is linear; it does not measure time. */
export function countWork(characters: number): void {
  steps += characters;
}

/** The count since the last call. */
export function takeWork(): number {
  const taken = steps;
  steps = 0;
  return taken;
}
