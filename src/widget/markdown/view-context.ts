import type { Block } from '../../markdown/nodes.ts';
import type { ContentPolicy } from '../platform/url-policy.ts';
import type { Words } from '../i18n/words.ts';
import type { Labels } from './localized-labels.ts';

/** What every view of a Markdown node may read. Read it anew at each use: the words and the policy change. */
export interface ViewContext {
  readonly words: Words;
  readonly labels: Labels;
  readonly policy: Pick<ContentPolicy, 'baseUrl' | 'images'>;
}

/** The element of one block, changed in place. */
export interface BlockContent {
  readonly element: HTMLElement;
  /** Shows another state of the block; false when that needs another element. */
  update(block: Block): boolean;
}
