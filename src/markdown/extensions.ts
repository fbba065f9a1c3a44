/** Finds formulas, while the block parser and the inline parser read a text. */
export interface FormulaSyntax {
  /**
   * The index after the formula that begins at an index; 0 if there is none. `Infinity` if only its end is missing, -1
   * if more text could still make it a formula.
   * @param text inline content
   */
  endOf(text: string, index: number): number;
  /** The block of mathematics that a line begins: a pattern of its last line. */
  blockStart(line: string): { readonly end: RegExp; readonly info: string } | undefined;
}

/** Parts of the parser that load with the first text that needs them. */
export const extensions: {
  formulas?: FormulaSyntax;
  /** Writes a formula as a line of text; undefined if that is not possible, or before formulas can be drawn. */
  writeFormula?: (source: string) => string | undefined;
} = {};

const formulaMark = /\\[([]|\$\$/;

/** Whether a text may contain formulas, and their syntax is not loaded. */
export function needsFormulas(text: string): boolean {
  return !extensions.formulas && formulaMark.test(text);
}
