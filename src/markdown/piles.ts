/** More marks on one letter than any script puts there. */
const pile = /(\p{M}{30})\p{M}+/gu;

/**
 * A text as it is laid out: without the marks that lie on thirty others. Engines take minutes to place a hundred
 * thousand; who copies an answer gets all of them.
 * @source Unicode Standard Annex 15, "Stream-Safe Text Format" (thirty)
 */
export function withoutPiles(text: string): string {
  return text.replace(pile, '$1');
}
