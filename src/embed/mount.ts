import '../widget/define.ts';
import { AgentChat } from '../widget/element/agent-chat.ts';
import { configFromDataset } from '../widget/config/config-resolver.ts';

/**
 * Puts the widget on the page for one script tag: an `<agent-chat>` of its own when the tag says which agent, and the
 * tag's settings as defaults for elements that the page places by itself.
 */
function mount(script: Pick<HTMLScriptElement, 'src' | 'dataset'>): void {
  const settings = configFromDataset(script.dataset);
  // not its folder: a pinned version lies in one of its own
  const defaults = { baseUrl: new URL('/', script.src || document.baseURI).href, ...settings };
  AgentChat.scriptConfig = { ...defaults, ...AgentChat.scriptConfig };
  const place = (): void => {
    const placed = [...document.querySelectorAll('agent-chat')].filter((other) => other instanceof AgentChat);
    for (const other of placed) other.adoptScriptConfig();
    const agentId = String(settings.agentId ?? '');
    if (placed.some(({ fromScript, config }) => !fromScript || config.agentId === agentId)) return;
    if (Object.keys(settings).length === 0) return;
    const element = document.createElement('agent-chat') as AgentChat; // defined above
    element.fromScript = defaults;
    element.dataset['turboPermanent'] = ''; // a page that Turbo morphs into another leaves it alone
    document.body.append(element);
    stay(element);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', place, { once: true });
  else place();
}

// where the script finds it, this copy or another, of whatever version
Object.assign(AgentChat, { mount });

/**
 * Pages that swap the whole body, or all that is in it, as they go from one to the next (Turbo, htmx and the like) run a
 * tag in the head once: the chat it made goes along, in place of its copy in a body that was kept. What the page itself
 * removes stays away.
 */
function stay(element: AgentChat): void {
  /** What the body began with at the last look, if the chat was on the page. */
  let first: Element | null | false;
  const look = (): void => {
    const { body } = document;
    if (!body) return;
    const other = document.querySelector('agent-chat');
    const isSwap = element.closest('body') ?? (first && !first.isConnected && body.firstElementChild);
    if (isSwap && !element.isConnected && !other?.hasAttribute('agent-id')) {
      other?.remove();
      body.append(element);
    }
    first = element.isConnected && body.firstElementChild;
    observer.observe(body, { childList: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(document.documentElement, { childList: true });
  look();
}
