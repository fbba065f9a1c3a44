import { matchAt } from './link-destination.ts';

const containerMarkers = /[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/y;
/** Beginnings of headings, underlines, delimiter rows, list markers, task boxes and fences. */
const undecided =
  /^(?:#{1,6}[ \t]*|[-=|:*+_ \t>]*|\d{1,9}[.)]?[ \t]*|\[[ xX]?\]?[ \t]*|`+[^`]*|~{3,}.*|~{1,2})$/;
const definition = /^ {0,3}\[[^[\]]{1,200}\]:/;
const fenceOrBlank = /[ \t>]*[`~]*[ \t]*/y;
/** Longer lines are never undecided. */
const maxUndecidedLength = 4096;

/** Whether more text could change the kind of the line's block, or of the line above. Such a line is not shown yet. */
export function isUndecided(line: string): boolean {
  if (line.length > maxUndecidedLength) return false;
  matchAt(containerMarkers, line, 0);
  return undecided.test(line.slice(containerMarkers.lastIndex)) || definition.test(line);
}

/** Whether more text of the line could make it the closing fence of a code block. */
export function mayCloseFence(line: string): boolean {
  matchAt(fenceOrBlank, line, 0);
  return fenceOrBlank.lastIndex === line.length;
}

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
