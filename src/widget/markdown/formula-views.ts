import type { BlockContent, ViewContext } from './view-context.ts';

/** Views of formulas; they load with the first text that has one. */
export const formulaViews: {
  inline?: (source: string, context: ViewContext) => HTMLElement;
  block?: (context: ViewContext) => BlockContent;
} = {};
