/** Text without the spaces and tabs it begins with. */
export function trimStart(text: string): string {
  return text.replace(/^[ \t]+/, '');
}

/** Text without those of the given characters it ends with. A regular expression would take quadratic time. */
export function trimEnd(text: string, characters = ' \t'): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
