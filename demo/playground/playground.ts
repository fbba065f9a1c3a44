import type { AgentChat } from 'agent-chat';
import './contrast-pane.ts';
import './embed-pane.ts';
import './events-pane.ts';
import './scenarios-pane.ts';
import './settings-form.ts';
import type { ContrastPane } from './contrast-pane.ts';
import type { EmbedPane } from './embed-pane.ts';
import { EventLog } from './event-log.ts';
import type { EventsPane } from './events-pane.ts';
import { Network } from './network.ts';
import { pretendUpload } from './pretend-upload.ts';
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
preview.uploadDocument = pretendUpload;
bindPreview(preview, settings);
bindScheme(document.querySelectorAll<HTMLInputElement>('input[name="scheme"]'));
bindTabs(find('[role="tablist"]'));

Object.assign(find<ContrastPane>('playground-contrast'), { preview });
Object.assign(find<EmbedPane>('playground-embed'), { preview });
Object.assign(find<EventsPane>('playground-events'), { log, network, preview });
Object.assign(find<ScenariosPane>('playground-scenarios'), { log, network, preview });
for (const part of document.querySelectorAll<PlaygroundElement>('[data-part]')) part.settings = settings;

// In one column the scenarios come first, visually and in focus order.
const oneColumn = matchMedia('(max-width: 760px)');
const placeSettings = () => {
  const { activeElement } = document;
  const settingsPane = find('.configure');
  find('.inspect')[oneColumn.matches ? 'after' : 'before'](settingsPane);
  if (activeElement instanceof HTMLElement && settingsPane.contains(activeElement)) activeElement.focus();
};
oneColumn.addEventListener('change', placeSettings);
if (oneColumn.matches) placeSettings();

// A wide window has room for both, so the chat is open from the start; in a narrow one it would cover the page.
if (matchMedia('(min-width: 1100px)').matches) preview.setAttribute('open', '');
addEventListener('unhandledrejection', (event) => {
  // The chat shows a failed run itself; do not report it again for a call from this page.
  if (event.reason instanceof Error && event.reason.name === 'AbortError') event.preventDefault();
});

function find<Type extends Element = HTMLElement>(selector: string): Type {
  const element = document.querySelector<Type>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}
