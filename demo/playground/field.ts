/** A setting of the widget in the playground. */
export interface Field {
  /**
   * Attribute of `<agent-chat>`; prefixed with `data-` on the script tag. For what is not one: name in the page's URL.
   */
  readonly attribute: string;
  /** Dotted name in the API's JSON; undefined for settings of the page only. */
  readonly api?: string;
  /** The token or part of the widget that a field sets by CSS. */
  readonly css?: string;
  readonly label: string;
  readonly control: 'colour' | 'choice' | 'select' | 'switch' | 'text';
  /** The allowed values, if they are few. */
  readonly options?: readonly string[];
  /** What to call options whose value does not read well. */
  readonly optionLabels?: Readonly<Record<string, string>>;
  /** The widget's default. */
  readonly initial: string;
  /** A short sentence, where the label is not enough. */
  readonly help?: string;
  /** Shares a row with the next one. */
  readonly half?: true;
}
