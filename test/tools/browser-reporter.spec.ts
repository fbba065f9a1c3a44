import { expect, test } from '@playwright/test';
import { browserReporter } from './browser-reporter.js';

const passed = { name: 'shows words', passed: true, skipped: false };
const failed = { name: 'shows no words', passed: false, skipped: false, error: { message: 'words' } };

/** The line that the reporter prints of these sessions, without the seconds. */
function lineOf(...sessions: object[]): string {
  const printed: string[] = [];
  const { log } = console;
  console.log = (line: string) => void printed.push(line);
  try {
    const reporter = browserReporter({ root: '/project' });
    reporter.stop({
      sessions: sessions.map((session) => ({ testFile: '/project/a.test.ts', errors: [], ...session })),
    });
  } finally {
    console.log = log;
  }
  expect(printed).toHaveLength(1);
  return printed[0]?.replace(/, \d+ s$/, '') ?? '';
}

test('tests are counted, also in suites', () => {
  const suites = [{ tests: [failed, { ...failed, skipped: true }], suites: [] }];
  const line = lineOf({ passed: false, testResults: { tests: [passed], suites } });
  expect(line).toBe('Browser tests: 1 passed, 1 failed, 1 skipped');
});

test('a hook that fails after the tests counts as a failure', () => {
  const errors = [{ message: 'after all' }];
  const line = lineOf({ passed: false, errors, testResults: { tests: [passed], suites: [] } });
  expect(line).toBe('Browser tests: 1 passed, 1 failed, 0 skipped');
});

test('a file that does not load or does not end counts as a failure', () => {
  const errors = [{ message: 'no such module' }];
  expect(lineOf({ passed: false, errors }, { passed: false })).toBe(
    'Browser tests: 0 passed, 2 failed, 0 skipped',
  );
});
