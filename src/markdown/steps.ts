let steps = 0;

/** Adds to the work done: characters looked at. Tests hold it to be linear; it is no measure of time. */
export function countSteps(characters: number): void {
  steps += characters;
}

/** The work done since the last call. */
export function takeSteps(): number {
  const taken = steps;
  steps = 0;
  return taken;
}
