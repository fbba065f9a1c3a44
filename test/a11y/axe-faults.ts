import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { untilStill } from './stillness.ts';

/** Violations that axe finds in the chat, by all rules: every WCAG level, and best practices. */
export async function axeFaults(page: Page): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page })
    .include('agent-chat')
    .options({ resultTypes: ['violations'] })
    // the chat has no frames, so the results need no second page
    .setLegacyMode(true)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}
