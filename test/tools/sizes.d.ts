/** A part of the built script. */
export interface Part {
  readonly file: string;
  readonly name: string;
  readonly kilobytes: number;
  readonly needs: readonly string[];
}
export const budgets: { readonly launcher: number; readonly answer: number };
export const ceilings: { readonly launcher: number; readonly answer: number };
export const jitter: number;
export function readSizes(directory: string): Part[];
export function closureOf(sizes: readonly Part[], names: readonly string[]): Part[];
export function sizeTable(directory: string): string;

/** Weight of a module in kB after brotli, the mean with several sets of names of imports, the same in each build. */
export function weigh(code: string): number;
