import type { Page, ViewportSize } from '@playwright/test';
import { ChatPage } from './chat-page.ts';

/** The playground in a page, its preview open. */
export interface PlaygroundPage {
  readonly chat: ChatPage;
  /** Errors of the page and of its console, so far. */
  readonly complaints: readonly string[];
}

/** Opens the playground of a service and waits until its chat can be used. */
export async function openPlayground(
  page: Page,
  origin: string,
  size: ViewportSize = { width: 1440, height: 900 },
): Promise<PlaygroundPage> {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.setViewportSize(size);
  await page.goto(origin);
  const chat = new ChatPage(page, '#preview');
  await chat.composer.waitFor();
  return { chat, complaints };
}
