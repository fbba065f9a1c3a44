import { sendKeys } from '@web/test-runner-commands';
import type { EnginePage } from '../engines/engine-page.ts';

/** The page of a browser test, for what works in the pages of end-to-end tests too. */
export const thisPage: EnginePage = {
  keyboard: {
    press: (keys) => pressKeys(keys),
    type: (text) => sendKeys({ type: text }),
  },
  goto: () => Promise.reject(new Error('a browser test stays in its page')),
  evaluate: (work, argument) => Promise.resolve(work(argument)),
};

/** Presses a key with what is held: `Tab`, `Shift+F6`. */
export async function pressKeys(keys: string): Promise<void> {
  const held = keys.split('+');
  const key = held.pop() ?? '';
  for (const modifier of held) await sendKeys({ down: modifier });
  await sendKeys({ press: key });
  for (const modifier of held) await sendKeys({ up: modifier });
}
