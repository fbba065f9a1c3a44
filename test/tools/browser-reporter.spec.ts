import { expect, test } from '@playwright/test';
import { browserReporter, combineRuns, failedFiles } from './browser-reporter.js';

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

test('only failed files run again; what then passes is flaky, and what fails again has failed', () => {
  const result = (file: string, expected: number, failed: readonly string[]) => ({
    file,
    stats: { expected, unexpected: failed.length, skipped: 0 },
    failures: failed.map((name) => ({ title: `FAILED ${file} › ${name}`, lines: [] })),
  });
  const first = { files: [result('a', 5, []), result('b', 3, ['once']), result('c', 0, ['once', 'always'])] };
  const second = { files: [result('b', 4, []), result('c', 1, ['always'])] };
  expect(failedFiles(first)).toEqual(['b', 'c']);
  expect(combineRuns(first)).toMatchObject({ stats: { expected: 8, unexpected: 3, flaky: 0 } });
  const { stats, failures } = combineRuns(first, second);
  expect(stats).toEqual({ expected: 8, unexpected: 1, skipped: 0, flaky: 2 });
  expect(failures.map(({ title }) => title)).toEqual([
    'FAILED c › always',
    'RUN AGAIN b › once',
    'RUN AGAIN c › once',
  ]);
});
