import type { Page } from '@playwright/test';
import { ChatPage } from './chat-page.ts';
import type { PageServer } from './page-server.ts';
import type { ServiceProcess } from './service-process.ts';

/**
 * Opens a page with the demo agent's chat in place, as a sidebar of this size in pixels; answers come without delay.
 */
export async function openSidebar(
  page: Page,
  { host, service }: { readonly host: PageServer; readonly service: ServiceProcess },
  { width = 400, height = 600 } = {},
): Promise<ChatPage> {
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Marina</title><body><a href="#top">Prices</a>
      <div style="width: ${width}px; height: ${height}px"><agent-chat form-type="custom" width="100%" height="100%" agent-id="demo"
        token="${await service.token()}"></agent-chat></div>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  await chat.answerAtOnce();
  return chat;
}
