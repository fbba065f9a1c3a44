import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { browserArguments, findBrowser } from './tools/find-browser.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const executablePath = await findBrowser();

/** Writes the counts where `npm test` adds them up. */
function countingReporter(name) {
  return {
    stop({ sessions }) {
      const stats = { expected: 0, unexpected: 0, skipped: 0 };
      const failures = [];
      const walk = (suite, file) => {
        for (const test of suite?.tests ?? []) {
          stats[test.skipped ? 'skipped' : test.passed ? 'expected' : 'unexpected'] += 1;
          if (!test.skipped && !test.passed)
            failures.push(`FAILED ${file} › ${test.name}\n    ${test.error?.message}`);
        }
        for (const inner of suite?.suites ?? []) walk(inner, file);
      };
      for (const session of sessions) {
        const file = relative(root, session.testFile);
        walk(session.testResults, file);
        if (session.passed || session.testResults) continue;
        stats.unexpected += 1;
        failures.push(`FAILED ${file}\n    ${session.errors?.map(({ message }) => message).join('\n    ')}`);
      }
      mkdirSync(`${root}/test/.results`, { recursive: true });
      writeFileSync(`${root}/test/.results/${name}.json`, JSON.stringify({ stats, failures }));
      console.log(`browser: ${stats.expected} passed, ${stats.unexpected} failed, ${stats.skipped} skipped`);
    },
  };
}

/** Browser tests: real elements in a real Chromium, sources served as they are. */
export default {
  rootDir: root,
  files: ['test/**/*.test.ts', '!test/bench/**'],
  nodeResolve: { exportConditions: ['browser', 'production'] },
  concurrency: 1,
  concurrentBrowsers: 1,
  testRunnerHtml: (framework) =>
    `<!doctype html><html lang="en"><body><script type="module" src="${framework}"></script></body></html>`,
  testFramework: { config: { timeout: 10_000 } },
  testsFinishTimeout: 240_000,
  plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: `${root}/tsconfig.json` })],
  reporters: [
    defaultReporter({ reportTestProgress: false }),
    ...(process.env.RESULT ? [countingReporter(process.env.RESULT)] : []),
  ],
  browsers: [chromeLauncher({ launchOptions: { executablePath, args: browserArguments, headless: true } })],
};
