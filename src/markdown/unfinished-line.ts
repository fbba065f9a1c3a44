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
