import type { Block } from '../../markdown/nodes.ts';
import type { UrlPolicy } from '../platform/url-policy.ts';
import type { Strings } from '../i18n/strings.ts';
import type { LocalizedLabels } from './localized-labels.ts';

/** What every view of a Markdown node may read. Read it anew at each use: the words and the policy change. */
export interface ViewContext {
  readonly words: Strings;
  readonly labels: LocalizedLabels;
  readonly policy: Pick<UrlPolicy, 'baseUrl' | 'images'>;
}

/** The element of one block, changed in place. */
export interface BlockContent {
  readonly element: HTMLElement;
  /** Shows another state of the block; false when that needs another element. */
  update(block: Block): boolean;
}
