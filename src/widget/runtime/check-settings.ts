import type { ChatHost } from '../chat-host.ts';
import { configTable } from '../config/config-table.ts';
import { isLoopbackPage } from '../platform/loopback-page.ts';
import { diagnoseSetup } from './diagnose-setup.ts';

/** On a developer's own page, reports attributes of the element and of script tags that are no settings. */
export function checkAttributes(host: ChatHost): void {
  if (!isLoopbackPage()) return;
  const settings = Object.values(configTable).map(({ attribute }) => attribute);
  for (const element of [host, ...document.querySelectorAll('script[src*=agent-chat]')])
    for (const name of element.getAttributeNames()) {
      const mayBeSetting = name.startsWith('data-') ? element !== host : element === host && name !== 'class';
      if (mayBeSetting && !settings.includes(name.replace('data-', '')) && !(name in host))
        diagnoseSetup(host, { code: 'unknown-attribute', name, settings });
    }
}
