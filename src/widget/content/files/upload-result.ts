import { asObject } from '../../../conversation/read-values.ts';
import type { Strings } from '../../i18n/strings.ts';
import { diagnose } from '../../events/report-diagnostic.ts';

/** Limits the progress that a page reports to 0 to 1; NaN, such as the 0/0 of an empty file, becomes 0. */
export function clampProgress(progress: number): number {
  return Math.min(1, Math.max(0, progress || 0));
}

/** The page refuses a document; `message` tells the visitor why. */
class UploadRefusal extends Error {}

/** Why the page refuses the document, in its words to the visitor; `''` for every other failure. */
export function refusalOf(error: unknown): string {
  return error instanceof UploadRefusal ? error.message : '';
}

/** What is said of a file that failed, with the page's reason if it refuses the file. */
export function failedText(words: Strings, { name }: File, refusal: string | undefined): string {
  return [words.t('file.failed', { name }), refusal].filter(Boolean).join(' ');
}

/**
 * Validates the document id that a page's `uploadDocument` returned.
 * @param target dispatches the diagnostic for an invalid id
 * @throws UploadRefusal when the page refuses the document, see `refusalOf`
 * @throws TypeError when it is not a UUID, which the service would reject with the whole message.
 */
export function parseDocumentId(id: unknown, target: EventTarget): string {
  if (typeof id === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return id;
  const { refused } = asObject(id);
  if (typeof refused === 'string' && refused.trim()) throw new UploadRefusal(refused.trim());
  diagnose(target, 'invalid-upload', 'uploadDocument must resolve to the id of the document, a UUID.');
  throw new TypeError('no id');
}
