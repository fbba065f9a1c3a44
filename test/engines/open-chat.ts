import { expect } from '@playwright/test';
import { focused } from '../a11y/focus.ts';
import type { EnginePage } from './engine-page.ts';

/** Opens the chat as a visitor does who has only a keyboard. */
export async function openChat(page: EnginePage): Promise<void> {
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page), { timeout: 20_000 }).toBe('textarea: Message');
}
