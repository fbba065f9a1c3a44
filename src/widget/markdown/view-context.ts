import type { Block } from '../../markdown/nodes.ts';
import type { UrlPolicy } from '../platform/url-policy.ts';
import type { Strings } from '../i18n/strings.ts';
import type { LocalizedLabels } from './localized-labels.ts';

/** What the views of Markdown nodes read. Do not cache it: strings and policy change. */
export interface ViewContext {
  readonly words: Strings;
  readonly labels: LocalizedLabels;
  readonly policy: Pick<UrlPolicy, 'baseUrl' | 'images'>;
}

/** The element of one block, updated in place. */
export interface BlockContent {
  readonly element: HTMLElement;
  /** Updates the block; returns false if it needs another element. */
  update(block: Block): boolean;
}
