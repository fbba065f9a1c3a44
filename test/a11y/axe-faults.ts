import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { untilStill } from './stillness.ts';

/** What axe finds wrong with the chat, by every rule there is: all WCAG levels, and best practices. */
export async function axeFaults(page: Page): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page })
    .include('agent-chat')
    .options({ resultTypes: ['violations'] })
    // the chat has no frames: their results need no page of their own to be put together in
    .setLegacyMode(true)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}
