/** More combining marks on one letter than any script uses. */
const excessMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * Removes combining marks after the thirtieth on one letter: browsers take minutes to lay out a hundred thousand. Used
 * for display only; copied text keeps all marks.
 * @source Unicode Standard Annex 15, "Stream-Safe Text Format" (thirty)
 */
export function toStreamSafe(text: string): string {
  return text.replace(excessMarks, '$1');
}
