import { foldText } from '../fold-text.ts';
import type { Suggestion } from './combobox-options.ts';

/**
 * The suggestions that hold every typed word, in any case and with or without accents. Those that begin with the text
 * come first; otherwise the order stays.
 */
export function matchSuggestions(all: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const text = foldText(typed).trim();
  const words = text.split(/\s+/).filter(Boolean);
  if (!words.length) return all;
  const found = all
    .map((suggestion) => ({ suggestion, folded: foldText(suggestion.label) }))
    .filter(({ folded }) => words.every((word) => folded.includes(word)));
  const begins = (is: boolean): readonly Suggestion[] =>
    found.filter(({ folded }) => folded.startsWith(text) === is).map(({ suggestion }) => suggestion);
  return [...begins(true), ...begins(false)];
}
