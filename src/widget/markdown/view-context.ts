import type { ContentPolicy } from '../content-policy.ts';
import type { Words } from '../words.ts';
import type { Labels } from './labels.ts';

/** What every piece of rendered Markdown may ask for. Read afresh at each use. */
export interface ViewContext {
  readonly words: Words;
  readonly labels: Labels;
  readonly policy: Pick<ContentPolicy, 'baseUrl' | 'images'>;
}
