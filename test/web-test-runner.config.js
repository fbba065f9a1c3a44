import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { browserReporter } from './tools/browser-reporter.js';
import { bundlePlugin } from './tools/bundle-plugin.js';
import { devtoolsPlugin } from './tools/devtools-plugin.js';
import { browserArguments, findBrowser } from './tools/find-browser.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const executablePath = await findBrowser();

/** The files that the command line names, to bundle no others. */
const named = process.argv.filter((argument) => argument.endsWith('.test.ts'));
const isNamed = named.length > 0;
/** How many browsers share the files, a page at a time in each: a page must be in front to have frames and focus. */
const workers = isNamed ? 1 : Number(process.env.WORKERS ?? 2);
/** Files that `npm run test:quick` skips: they use a whole chat in each test, or draw huge contents. */
const large =
  /\.(chat|focus|geometry|layouts|looks)\.test|(announcements|bad-input|chat-contrast|controls-contrast|every-event|every-string|frozen-blocks|live-settings|odd-items|overflow-items|return-to-page|shifts|truncate-long-text)\.test/;
const files = readdirSync(`${root}/test`, { recursive: true })
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('bench'))
  .filter((name) => !process.env.QUICK || !large.test(name))
  .sort()
  .map((name) => `test/${name}`);

function browser() {
  return chromeLauncher({ launchOptions: { executablePath, args: browserArguments, headless: true } });
}

/** Browser tests: real elements in a real Chromium, sources bundled in memory: no build is needed. */
export default {
  rootDir: root,
  groups: isNamed
    ? []
    : Array.from({ length: workers }, (_, worker) => ({
        name: `${worker + 1} of ${workers}`,
        files: files.filter((_, at) => at % workers === worker),
        browsers: [browser()],
      })),
  concurrency: 1,
  concurrentBrowsers: workers,
  testRunnerHtml: (framework) =>
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><body><script type="module" src="${framework}"></script></body></html>`,
  testFramework: { config: { timeout: 10_000 } },
  testsFinishTimeout: 240_000,
  plugins: [
    bundlePlugin({
      root,
      files: named.length > 0 && named.every((name) => existsSync(name)) ? named : files,
      conditions: ['browser', 'production'],
    }),
    devtoolsPlugin(),
  ],
  reporters: [
    defaultReporter({ reportTestProgress: false }),
    browserReporter({ root, result: process.env.RESULT }),
  ],
  browsers: [browser()],
};
