import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { browserReporter } from './tools/browser-reporter.js';
import { bundlePlugin } from './tools/bundle-plugin.js';
import { browserArguments, findBrowser } from './tools/find-browser.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const executablePath = await findBrowser();

/** Browser tests: real elements in a real Chromium, sources bundled in memory: no build is needed. */
export default {
  rootDir: root,
  files: ['test/**/*.test.ts', '!test/bench/**'],
  concurrency: 1,
  concurrentBrowsers: 1,
  testRunnerHtml: (framework) =>
    `<!doctype html><html lang="en"><body><script type="module" src="${framework}"></script></body></html>`,
  testFramework: { config: { timeout: 10_000 } },
  testsFinishTimeout: 240_000,
  plugins: [bundlePlugin({ root, folder: 'test', conditions: ['browser', 'production'] })],
  reporters: [
    defaultReporter({ reportTestProgress: false }),
    browserReporter({ root, result: process.env.RESULT }),
  ],
  browsers: [chromeLauncher({ launchOptions: { executablePath, args: browserArguments, headless: true } })],
};
