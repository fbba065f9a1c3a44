import '../widget/define.ts';
import { AgentChat } from '../widget/agent-chat.ts';
import { configFromDataset } from '../widget/config.ts';

/**
 * Puts the widget on the page for one script tag: an `<agent-chat>` of its own when the tag says which agent, and the
 * tag's settings as defaults for elements that the page places by itself.
 */
function mount(script: HTMLScriptElement | undefined): void {
  const settings = script ? configFromDataset(script.dataset) : {};
  // not its folder: a pinned version lies in one of its own
  const origin = script?.src ? new URL('/', script.src).href : document.baseURI;
  AgentChat.scriptConfig = { baseUrl: origin, ...settings, ...AgentChat.scriptConfig };
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => place(settings, origin), { once: true });
  } else {
    place(settings, origin);
  }
}

// where the script finds it, this copy or another, of whatever version
Object.assign(AgentChat, { mount });

function place(settings: ReturnType<typeof configFromDataset>, origin: string): void {
  const placed = [...document.querySelectorAll('agent-chat')].filter((other) => other instanceof AgentChat);
  for (const other of placed) other.adoptScriptConfig();
  const agentId = String(settings.agentId ?? '');
  if (placed.some(({ fromScript, config }) => !fromScript || config.agentId === agentId)) return;
  if (Object.keys(settings).length === 0) return;
  const element = document.createElement('agent-chat') as AgentChat; // defined above
  element.fromScript = { baseUrl: origin, ...settings };
  document.body.append(element);
  new MutationObserver(() => stay(element)).observe(document.documentElement, { childList: true });
}

/**
 * Pages that swap the whole body as they go from one to the next (Turbo and the like) run a tag in the head once: the chat
 * it made goes along, in place of its copy in a body that was kept. What the page itself removes stays away.
 */
function stay(element: AgentChat): void {
  const other = document.querySelector('agent-chat');
  if (element.isConnected || !element.closest('body') || other?.hasAttribute('agent-id')) return;
  other?.remove();
  document.body?.append(element);
}
