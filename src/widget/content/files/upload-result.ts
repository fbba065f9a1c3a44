import { diagnose } from '../../events/report-diagnostic.ts';

/** The share of a file that is there, 0 to 1, as a host told it. What is no number, like the 0/0 of an empty file, is 0. */
export function clampProgress(told: number): number {
  return Math.min(1, Math.max(0, told || 0));
}

/**
 * The id of a document, as a host's `uploadDocument` resolved it.
 * @param target Where a host that resolved something else is told so.
 * @throws TypeError when it is no id.
 */
export function parseDocumentId(id: unknown, target: EventTarget): string {
  if (typeof id === 'string' && id) return id;
  diagnose(target, 'invalid-upload', 'uploadDocument must resolve to the id of the document, a string.');
  throw new TypeError('no id');
}
