/** A module of the built script. */
export interface Module {
  readonly file: string;
  readonly name: string;
  readonly code: string;
  readonly needs: readonly string[];
}
export const budgets: { readonly launcher: number; readonly answer: number };
export const ceilings: { readonly launcher: number; readonly answer: number };
export const jitter: number;
export function readModules(directory: string): Module[];
export function closureOf(modules: readonly Module[], names: readonly string[]): Module[];
/** Weight in kB of the named modules and everything that they import statically. */
export function weighClosure(modules: readonly Module[], names: readonly string[]): number;
export function sizeTable(directory: string): string;

/** Weight of a module in kB after brotli, the mean with several sets of names of imports, the same in each build. */
export function weigh(code: string, samples?: number): number;
