/** Removes spaces and tabs from the start of a text. */
export function trimStart(text: string): string {
  return text.replace(/^[ \t]+/, '');
}

/** Removes the given characters from the end of a text. A regular expression would take quadratic time. */
export function trimEnd(text: string, characters = ' \t'): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
