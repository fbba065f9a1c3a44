import { expect } from '@playwright/test';
import { walkEveryDay } from '../tools/everyday-walk.ts';
import { faultyChat } from '../tools/faulty-chat.ts';
import { scrollbarTest as test } from '../tools/worker-context.ts';

// `WALKS=100 FIRST_SEED=0 STEPS=500` for long; a failure names its seed, and the same seed takes the same actions
const walks = Number(process.env['WALKS'] ?? 6);
const from = Number(process.env['FIRST_SEED'] ?? 0);
const steps = Number(process.env['STEPS'] ?? 6);
const forms = ['float', 'fullscreen-overlay', 'custom'] as const;

const chat = faultyChat(test);

for (const [at, form] of forms.entries()) {
  const seeds = Array.from({ length: walks }, (_, walk) => from + walk).filter((seed) => seed % 3 === at);
  test(`a random walk keeps layout and messages (${form})`, async ({ scrollbarBrowser }) => {
    test.setTimeout(60_000 + seeds.length * (10_000 + steps * 1_500));
    for (const seed of seeds) {
      const context = await scrollbarBrowser.newContext({ viewport: { width: 900, height: 700 } });
      const { trace, problems } = await walkEveryDay(context, chat, { seed, steps, form });
      await context.close();
      expect([...problems, ...chat.faults.splice(0)], `seed ${seed}: ${trace.join('; ')}`).toEqual([]);
    }
  });
}
