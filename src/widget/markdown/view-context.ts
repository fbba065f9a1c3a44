import type { Block } from '../../markdown/nodes.ts';
import type { UrlPolicy } from '../platform/url-policy.ts';
import type { Strings } from '../i18n/strings.ts';

/** Parts of rendered Markdown that depend on the language or the policy; a change updates only these. */
export class LocalizedLabels {
  readonly #labels = new WeakMap<Element, () => void>();

  /** Calls `updateLabel` now, and again when the language or the policy changes while the element is connected. */
  add(element: Element, updateLabel: () => void): void {
    this.#labels.set(element, updateLabel);
    updateLabel();
  }

  /** Updates every label within a parent. */
  update(parent: ParentNode): void {
    for (const element of parent.querySelectorAll('*')) this.#labels.get(element)?.();
  }
}

/** What the views of Markdown nodes read. Do not cache it: strings and policy change. */
export interface ViewContext {
  readonly words: Strings;
  readonly labels: LocalizedLabels;
  readonly policy: Pick<UrlPolicy, 'baseUrl' | 'images'>;
  /** Called when rendered nodes are not as they were left, for example after the browser has translated them. */
  onForeignChange(): void;
}

/** The element of one block, updated in place. */
export interface BlockContent {
  readonly element: HTMLElement;
  /** Updates the block; returns false if it needs another element. */
  update(block: Block): boolean;
}

/** Views of formulas; they load with the first text that has one. */
export const formulaViews: {
  inline?: (source: string, context: ViewContext) => HTMLElement;
  block?: (context: ViewContext) => BlockContent;
} = {};
