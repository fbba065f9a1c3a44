import type { AgentChat } from 'agent-chat';
import './backdrop.ts';
import './contrast-pane.ts';
import './embed-pane.ts';
import './events-pane.ts';
import './looks-pane.ts';
import './scenarios-pane.ts';
import './settings-form.ts';
import type { ContrastPane } from './contrast-pane.ts';
import type { EmbedPane } from './embed-pane.ts';
import { EventLog } from './event-log.ts';
import type { EventsPane } from './events-pane.ts';
import { Network } from './network.ts';
import type { LooksPane } from './looks-pane.ts';
import type { PlaygroundElement } from './playground-element.ts';
import { bindPreview } from './preview.ts';
import type { ScenariosPane } from './scenarios-pane.ts';
import { bindScheme } from './scheme.ts';
import { Settings } from './settings.ts';
import { bindTabs } from './tabs.ts';

const settings = new Settings();
const network = new Network();
const preview = find<AgentChat>('#preview');
const log = new EventLog(preview);

preview.fetch = network.fetch;
const isWide = matchMedia('(min-width: 1100px)');
const isNarrow = matchMedia('(max-width: 759.98px)');
// as in stage.css: a chat in the corner would cover what changes it
bindPreview(preview, settings, matchMedia('(max-width: 1099.98px), (max-height: 879.98px)'));
bindScheme(document.querySelectorAll<HTMLInputElement>('input[name="scheme"]'));
bindTabs(find('[role="tablist"]'));

Object.assign(find<ContrastPane>('playground-contrast'), { preview });
Object.assign(find<LooksPane>('playground-looks'), { preview });
Object.assign(find<EmbedPane>('playground-embed'), { preview });
Object.assign(find<EventsPane>('playground-events'), { log, network, preview });
Object.assign(find<ScenariosPane>('playground-scenarios'), { log, network, preview });
for (const part of document.querySelectorAll<PlaygroundElement>('[data-part]')) part.settings = settings;

// The DOM has the visual order, so that Tab follows it. The chat itself never moves.
const stage = find('.stage');
const [looksPane, settingsPane, inspectPane] = [find('.choose'), find('.configure'), find('.inspect')];
const arrange = () => {
  const { activeElement } = document;
  if (isWide.matches) stage.before(looksPane, settingsPane, inspectPane);
  else if (isNarrow.matches) stage.after(looksPane, inspectPane, settingsPane);
  else stage.before(looksPane, inspectPane, settingsPane);
  if (activeElement instanceof HTMLElement && activeElement !== document.activeElement) activeElement.focus();
  // a chat in the corner is open from the start; in the frame it always is
  if (isWide.matches) preview.setAttribute('open', '');
};
for (const width of [isWide, isNarrow]) width.addEventListener('change', arrange);
arrange();

addEventListener('unhandledrejection', (event) => {
  // The chat shows a failed run itself; do not report it again for a call from this page.
  if (event.reason instanceof Error && event.reason.name === 'AbortError') event.preventDefault();
});

function find<Type extends Element = HTMLElement>(selector: string): Type {
  const element = document.querySelector<Type>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}
