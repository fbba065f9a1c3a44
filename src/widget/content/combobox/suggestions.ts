import type { Strings } from '../../i18n/strings.ts';
import { foldText } from '../fold-text.ts';

/** An entry of the list below a field. */
export interface Suggestion {
  /** Shown, and written into the field. */
  readonly label: string;
  readonly description: string;
  readonly disabled: boolean;
}

/** What a field suggests. */
export interface ComboboxOptions {
  /** Id of the field. */
  readonly id: string;
  /** Accessible name of the list: the field's label. */
  readonly name: string;
  readonly suggestions: readonly Suggestion[];
  /** Whether the field accepts nothing but a suggestion. */
  readonly isClosed: boolean;
  readonly isDisabled: boolean;
  readonly words: Strings;
}

/**
 * The suggestions that hold every typed word, in any case and with or without accents. Those that begin with the text
 * come first; otherwise the order stays.
 */
export function matchSuggestions(all: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const text = foldText(typed).trim();
  const words = text.split(/\s+/).filter(Boolean);
  if (!words.length) return all;
  const first: Suggestion[] = [];
  const others: Suggestion[] = [];
  for (const suggestion of all) {
    const label = foldText(suggestion.label);
    if (label.startsWith(text)) first.push(suggestion);
    else if (words.every((word) => label.includes(word))) others.push(suggestion);
  }
  return [...first, ...others];
}
