/** An unfinished mark this far from the end of the text is no mark any more, just a character. */
export const maximalReach = 400;
const longestRest = 40;
const unfinishedRest = /(?:\\|!?\[|&#?\w{0,31}|<(?:br? ?\/?)?)$/i;
const unfinishedAutolink = /^<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]*)$/i;

/** Text without the marks at its end that are incomplete or have no content yet. */
export function withoutUnfinishedMarks(text: string): string {
  let shown = text;
  for (let round = 0; round < 4; round++) {
    let end = shown.length;
    while (end > 0 && '*_~`'.includes(shown.charAt(end - 1))) end--;
    if (end < shown.length) {
      shown = shown.slice(0, end);
      continue;
    }
    const rest = unfinishedRest.exec(shown.slice(-longestRest));
    if (!rest) break;
    shown = shown.slice(0, shown.length - rest[0].length);
  }
  return shown;
}

/** Whether text from a `<` on is the beginning of an autolink. */
export function isUnfinishedAutolink(text: string): boolean {
  return unfinishedAutolink.test(text);
}
