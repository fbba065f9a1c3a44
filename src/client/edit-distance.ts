/** Levenshtein distance of two words; of the first, only 60 characters count. */
export function editDistance(one: string, other: string): number {
  let previous = [...Array(other.length + 1).keys()];
  let row = 0;
  for (const letter of one.slice(0, 60)) {
    row += 1;
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
