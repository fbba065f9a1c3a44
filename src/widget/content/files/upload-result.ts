import { diagnose } from '../../events/report-diagnostic.ts';

/** Limits the progress that a page reports to 0 to 1; NaN, such as the 0/0 of an empty file, becomes 0. */
export function clampProgress(progress: number): number {
  return Math.min(1, Math.max(0, progress || 0));
}

/**
 * Validates the document id that a page's `uploadDocument` returned.
 * @param target dispatches the diagnostic for an invalid id
 * @throws TypeError when it is not an id.
 */
export function parseDocumentId(id: unknown, target: EventTarget): string {
  if (typeof id === 'string' && id) return id;
  diagnose(target, 'invalid-upload', 'uploadDocument must resolve to the id of the document, a string.');
  throw new TypeError('no id');
}
