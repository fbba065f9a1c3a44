import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Prints the counts of the browser tests as the last line, and writes them to a file for `npm test`, which adds them
 * up. A failing hook or file counts as a failure of its own, because it belongs to no test.
 * @param {{ root: string, result: string | undefined }} options `result`: name of the file under `test/.results`
 * @returns {import('@web/test-runner').Reporter}
 */
export function browserReporter({ root, result }) {
  let startedAt = Date.now();
  return {
    start() {
      startedAt = Date.now();
    },
    stop({ sessions }) {
      const stats = { expected: 0, unexpected: 0, skipped: 0 };
      const failures = [];
      const files = [];
      for (const { testFile, testResults, passed, errors } of sessions) {
        const file = relative(root, testFile);
        const tests = [...testsOf(testResults)];
        for (const { name, passed, skipped, error } of tests) {
          stats[skipped ? 'skipped' : passed ? 'expected' : 'unexpected'] += 1;
          if (!skipped && !passed) failures.push(failureOf(`${file} › ${name}`, error));
        }
        const hasFailedTest = tests.some((test) => !test.skipped && !test.passed);
        const faults =
          errors.length > 0 || passed || hasFailedTest ? errors : [{ message: 'it did not end' }];
        stats.unexpected += faults.length;
        failures.push(...faults.map((fault) => failureOf(file, fault)));
        files.push({ file, tests: tests.map(({ name, duration }) => ({ name, duration })) });
      }
      if (result) {
        mkdirSync(`${root}/test/.results`, { recursive: true });
        writeFileSync(`${root}/test/.results/${result}.json`, JSON.stringify({ stats, failures, files }));
      }
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      const { expected, unexpected, skipped } = stats;
      console.log(
        `Browser tests: ${expected} passed, ${unexpected} failed, ${skipped} skipped, ${seconds} s`,
      );
    },
  };
}

function* testsOf(suite) {
  yield* suite?.tests ?? [];
  for (const inner of suite?.suites ?? []) yield* testsOf(inner);
}

function failureOf(where, { message, expected, actual, stack = '' } = { message: 'It did not run.' }) {
  const values = expected === undefined ? [] : [`expected: ${expected}`, `actual: ${actual}`];
  const lines = [message, ...values, stack].flatMap((text) => text.split('\n')).filter(Boolean);
  return { title: `FAILED ${where}`, lines };
}
