import type { Strings } from '../../i18n/strings.ts';

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
