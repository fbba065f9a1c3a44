import '../widget/define.ts';
import { AgentChat } from '../widget/element/agent-chat.ts';
import type { RawConfig } from '../widget/config/config-resolver.ts';
import { configKeys } from '../widget/config/config-table.ts';

/**
 * Adds the widget for one script tag. If the tag names an agent, it creates an `<agent-chat>`. The tag's settings
 * become the defaults of elements that the page creates itself.
 */
function mount(script: Pick<HTMLScriptElement, 'src' | 'dataset'>): void {
  // `data-is-live` is `isLive` in the dataset: the setting's key
  const settings: RawConfig = { ...script.dataset };
  // the root, because the script's folder differs for pinned versions
  const defaults = { baseUrl: new URL('/', script.src || document.baseURI).href, ...settings };
  AgentChat.scriptConfig = { ...defaults, ...AgentChat.scriptConfig };
  const addElement = (): void => {
    const existing = [...AgentChat.connected];
    for (const other of existing) other.adoptScriptConfig();
    const agentId = String(settings.agentId ?? '');
    if (existing.some(({ fromScript, config }) => !fromScript || config.agentId === agentId)) return;
    // HTML reads `data-agentId` as `data-agentid`: the chat then says what to write
    if (!configKeys.some((key) => key in settings || key.toLowerCase() in settings)) return;
    const element = document.createElement('agent-chat') as AgentChat; // defined above
    element.fromScript = defaults;
    element.dataset['turboPermanent'] = ''; // keeps the element when Turbo morphs the page
    document.body.append(element);
    keepAcrossBodySwaps(element);
  };
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', addElement, { once: true });
  else addElement();
}

// the script loader calls `mount` on the registered class, which another copy or version may have defined
Object.assign(AgentChat, { mount });

/**
 * Puts the element back when the page replaces its body or all children of the body (Turbo, htmx and others): a
 * script in the head runs only once. Replaces the element's copy in a cached body. If the page removes only the
 * element, it stays removed.
 */
function keepAcrossBodySwaps(element: AgentChat): void {
  /** First child of the body at the last check; null if the page had removed the chat. */
  let first: Element | null;
  const check = (): void => {
    const { body } = document;
    if (!body) return;
    const other = document.querySelector('agent-chat');
    const isSwap = element.closest('body') ?? (first && !first.isConnected && body.firstElementChild);
    if (isSwap && !element.isConnected && !other?.hasAttribute('agent-id')) {
      other?.remove();
      body.append(element);
    }
    first = element.parentNode && body.firstElementChild; // a parent that left is its container, and may return
    observer.observe(body, { childList: true });
  };
  const observer = new MutationObserver(check);
  observer.observe(document.documentElement, { childList: true });
  check();
}
