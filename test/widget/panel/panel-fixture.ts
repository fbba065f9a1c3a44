import { initialConfig } from '../../../src/widget/config/config-resolver.ts';
import type { PanelConfig } from '../../../src/widget/contexts.ts';
import { defaultStrings } from '../../../src/widget/i18n/strings.ts';
import { strictPolicy } from '../../../src/widget/platform/url-policy.ts';

/** Configuration of the panel's components when the page sets nothing. */
export const panelConfig: PanelConfig = {
  config: initialConfig,
  words: defaultStrings,
  policy: strictPolicy,
  header: {},
  starters: [],
  mentionables: [],
  feedbackReasons: [],
  hostRenderers: new Map(),
  slots: new Set(),
  uploadDocument: undefined,
};
