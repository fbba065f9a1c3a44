import type { Strings } from './create-strings.ts';

/** The mark beside the name that says an AI answers; `''` where only people do, or the page turned it off. */
export function disclosureMark(disclosure: 'ai' | 'human' | 'mixed' | 'off', words: Strings): string {
  return /ai|mixed/.test(disclosure) ? words.t('disclosure.mark') : '';
}
