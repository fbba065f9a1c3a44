import type { ChatHost } from '../chat-host.ts';
import { configTable } from '../config/config-table.ts';
import { isLoopbackPage } from '../platform/loopback-page.ts';
import { diagnoseSetup } from './diagnose-setup.ts';

/** On a developer's own page, reports attributes of the element and of script tags that are no settings. */
export function checkAttributes(host: ChatHost): void {
  if (!isLoopbackPage()) return;
  const settings = Object.values(configTable).map(({ attribute }) => attribute);
  const ofScripts = [...document.querySelectorAll('script[src*=agent-chat]')].flatMap((script) =>
    script.getAttributeNames().filter((name) => name.startsWith('data-')),
  );
  for (const name of [...host.getAttributeNames(), ...ofScripts])
    if (!settings.includes(name.replace('data-', '')) && name !== 'class' && !(name in host))
      diagnoseSetup(host, { code: 'unknown-attribute', name, settings });
}
