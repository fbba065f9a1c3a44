/** An unfinished mark counts as a mark only within this distance of the end of the text. */
export const maxUnfinishedReach = 400;
const maxRestLength = 40;
const unfinishedRest = /(?:\\|!?\[|&#?\w{0,31}|<(?:br? ?\/?)?)$/i;
const unfinishedAutolink = /^<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]*)$/i;

/** Removes marks at the end of a text that are incomplete or have no content yet. */
export function withoutUnfinishedMarks(text: string): string {
  let shown = text;
  for (let round = 0; round < 4; round++) {
    let end = shown.length;
    while (end > 0 && '*_~`'.includes(shown.charAt(end - 1))) end--;
    if (end < shown.length) {
      shown = shown.slice(0, end);
      continue;
    }
    const rest = unfinishedRest.exec(shown.slice(-maxRestLength));
    if (!rest) break;
    shown = shown.slice(0, shown.length - rest[0].length);
  }
  return shown;
}

/** Whether a text that starts with `<` may become an autolink. */
export function isUnfinishedAutolink(text: string): boolean {
  return unfinishedAutolink.test(text);
}
