import { defineConfig } from '@playwright/test';
import { compileSources } from './tools/compile-sources.js';
import { browserArguments, findBrowser } from './tools/find-browser.js';
import { keepSteps, leaveOutRunner } from './tools/stack-lines.js';

// Only the end-to-end tests need a browser; what the first process found is handed to the workers.
const wantsBrowser = process.argv.some((argument) => /(e2e|axe)$/.test(argument));
if (wantsBrowser) process.env['CHROME_PATH'] = await findBrowser();
const executablePath = process.env['CHROME_PATH'];

await compileSources();
leaveOutRunner();
keepSteps();

const result = process.env['RESULT'];

/**
 * Not unit tests: they start a service or other processes, pack, compile, take a database, load a machine, or try
 * thousands of cases.
 */
const heavy = [
  '{bench,contract,demo,docs,package,verify}/**',
  'service/{agents,cli,decisions,errors,facades,openapi,telemetry,tools}/**',
  'service/assets/assets.spec.ts',
  'service/http/{http-server,request-log}.spec.ts',
  'service/runs/journal.spec.ts',
  'service/storage/{open-store,postgres-*,redis-*,retention,retention.postgres,search-index,usage}.spec.ts',
  'service/*.spec.ts',
  'session/*.with-service.spec.ts',
  '**/*.corpora.spec.ts',
  'client/lazy-stream-decoder.spec.ts',
  'markdown/{pathological,random-documents}.spec.ts',
  'service/guardrails/streamed-check.spec.ts',
];

const inChromium = {
  browserName: 'chromium',
  launchOptions: { ...(executablePath ? { executablePath } : {}), args: browserArguments },
} as const;

export default defineConfig({
  testDir: '.',
  ...(wantsBrowser ? { globalSetup: './tools/block-external-requests.ts' } : {}),
  outputDir: `.results/${result ?? process.pid}`,
  fullyParallel: false,
  workers: Number(process.env['WORKERS'] ?? 2),
  forbidOnly: Boolean(process.env['CI']),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // real processes, sockets and frames on a busy machine: a test that passes when run again is told as flaky
  retries: process.env['CI'] ? 2 : result && result !== 'unit' ? 1 : 0,
  reporter: result
    ? [['list'], ['json', { outputFile: `.results/${result}.json` }]]
    : [['list'], ['./tools/build-hint-reporter.ts']],
  projects: [
    { name: 'engines', testMatch: 'engines/**/*.e2e.ts' },
    { name: 'axe', testMatch: 'a11y/**/*.axe.ts', use: inChromium },
    {
      name: 'e2e',
      // the main job in Firefox and WebKit too, where they are installed; the rest by `npm run test:engines`
      testMatch: ['e2e/**/*.e2e.ts', 'engines/main-job.e2e.ts'],
      use: inChromium,
    },
    // an operator's week, by `npm run test:operator`: long, and some want both processors
    { name: 'operator', testMatch: 'operator/**/*.operator.ts' },
    { name: 'node', testMatch: '**/*.spec.ts' },
    // for `npm run test:quick`: needs no build
    { name: 'unit', testMatch: '**/*.spec.ts', testIgnore: heavy },
  ],
});
