import { expect } from '@playwright/test';
import { keyboardRun } from '../engines/keyboard-run.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

test('the whole product works by keyboard, with focus in the expected places', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin });
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><a href="#top">Host link</a>
      <script async src="${service.origin}/agent-chat.js" data-agent-id="demo"
        data-token="${await service.token()}"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  await new ChatPage(page).launcher.waitFor();
  await keyboardRun(page);
});

test('a chat opened by the page does not take focus from its fields, except where it covers the page', async ({
  page,
}) => {
  host.pages.set('/writing.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><label>Card <input></label>
      <iframe title="Payment" srcdoc="<input aria-label=Number>"></iframe><button type="button">Help</button>
      <script async src="${service.origin}/agent-chat.js" data-agent-id="demo"
        data-token="${await service.token()}" data-open="true"></script></body></html>`,
  });
  // page.evaluate() counts as a user activation; Chromium takes the flag along to the next page of a site
  await page.addInitScript(() => {
    const activation = { hasBeenActive: true, isActive: false };
    Object.defineProperty(navigator, 'userActivation', { value: activation });
    addEventListener('keydown', () => (activation.isActive = true));
  });
  await page.goto(`${host.origin}/writing.html`);
  const chat = new ChatPage(page);
  const settled = () => chat.evaluate((element) => element.updateComplete);
  await chat.composer.waitFor();
  // no user activation yet: the chat must not take the focus
  await expect(page.locator('body')).toBeFocused();
  const card = page.getByLabel('Card');
  const frame = page.locator('iframe');
  for (const place of [card, frame]) {
    await chat.evaluate((element) => element.hide());
    await card.focus();
    if (place === frame) await page.keyboard.press('Tab');
    await expect(place).toBeFocused();
    await chat.evaluate((element) => element.show());
    await settled();
    await expect(chat.panel).toBeVisible();
    await page.keyboard.type('4111');
    await expect(place).toBeFocused();
  }
  await expect(card).toHaveValue('4111');
  await expect(chat.composer).toHaveValue('');
  // the page asks for it, or the focus is on a button
  await chat.evaluate((element) => element.focusComposer());
  await expect(chat.composer).toBeFocused();
  await chat.evaluate((element) => element.hide());
  await page.getByRole('button', { name: 'Help' }).focus();
  await chat.evaluate((element) => element.show());
  await expect(chat.composer).toBeFocused();
  // on a phone, the chat covers the page
  await chat.evaluate((element) => element.hide());
  await page.setViewportSize({ width: 400, height: 700 });
  await card.focus();
  await chat.evaluate((element) => element.show());
  await expect(chat.composer).toBeFocused();
});
