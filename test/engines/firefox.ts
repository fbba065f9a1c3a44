import type { EngineSource } from './engine-page.ts';
import { findCommand } from './find-command.ts';
import { chord } from './keys.ts';

const command = (): string | undefined => findCommand('firefox-esr', 'firefox');

/** Firefox by WebDriver BiDi, which it speaks without a driver of its own. */
export const firefox: EngineSource = {
  name: 'Firefox',
  missing: () => (command() ? undefined : 'no firefox-esr or firefox (Debian: apt-get install firefox-esr)'),

  async start() {
    const { default: puppeteer } = await import('puppeteer-core');
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: command() ?? '',
      headless: true,
      defaultViewport: { width: 1280, height: 800 },
    });
    const page = await browser.newPage();
    return {
      version: await browser.version(),
      page: {
        keyboard: {
          async press(key) {
            const { held, last } = chord(key);
            // names of keys are Playwright's, which are puppeteer's
            for (const name of held) await page.keyboard.down(name as 'Shift');
            await page.keyboard.press(last as 'Tab');
            for (const name of [...held].reverse()) await page.keyboard.up(name as 'Shift');
          },
          type: (text) => page.keyboard.type(text),
        },
        goto: (url) => page.goto(url),
        evaluate: (work, argument) => page.evaluate(work as never, argument as never) as never, // by its own types
      },
      close: () => browser.close(),
    };
  },
};
