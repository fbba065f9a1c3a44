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
      const files = [...sessions].map((session) => readSession(root, session));
      if (result) {
        mkdirSync(`${root}/test/.results`, { recursive: true });
        writeFileSync(`${root}/test/.results/${result}.json`, JSON.stringify({ files }));
      }
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      const { expected, unexpected, skipped } = totalOf(files);
      console.log(
        `Browser tests: ${expected} passed, ${unexpected} failed, ${skipped} skipped, ${seconds} s`,
      );
    },
  };
}

/** The tests of a file, with its counts and failures. */
function readSession(root, { testFile, testResults, passed, errors }) {
  const file = relative(root, testFile);
  const stats = { expected: 0, unexpected: 0, skipped: 0 };
  const tests = [...testsOf(testResults)];
  const failures = [];
  for (const { name, passed: isGood, skipped, error } of tests) {
    stats[skipped ? 'skipped' : isGood ? 'expected' : 'unexpected'] += 1;
    if (!skipped && !isGood) failures.push(failureOf(`${file} › ${name}`, error));
  }
  const faults =
    errors.length > 0 || passed || failures.length > 0 ? errors : [{ message: 'it did not end' }];
  stats.unexpected += faults.length;
  failures.push(...faults.map((fault) => failureOf(file, fault)));
  return { file, stats, failures, tests: tests.map(({ name, duration }) => ({ name, duration })) };
}

/** Adds up the counts of files. */
function totalOf(files) {
  const total = { expected: 0, unexpected: 0, skipped: 0 };
  for (const { stats } of files) for (const key of Object.keys(total)) total[key] += stats[key];
  return total;
}

/** The names of the files with failures. */
export function failedFiles({ files }) {
  return files.filter(({ stats }) => stats.unexpected > 0).map(({ file }) => file);
}

/**
 * The counts and failures of a run, and of a second one of its failed files: what failed only in the first is flaky.
 * @param {{ files: object[] }} first as written by `browserReporter`
 * @param {{ files: object[] }} [second]
 */
export function combineRuns(first, second) {
  const again = new Map(second?.files.map((each) => [each.file, each]));
  const files = first.files.map((each) => again.get(each.file) ?? each);
  const failures = files.flatMap((each) => each.failures);
  const titles = new Set(failures.map(({ title }) => title));
  const flaky = first.files
    .filter(({ file }) => again.has(file))
    .flatMap((each) => each.failures)
    .filter(({ title }) => !titles.has(title))
    .map(({ title, lines }) => ({ title: title.replace('FAILED', 'RUN AGAIN'), lines }));
  const { expected, ...others } = totalOf(files);
  const stats = { ...others, expected: expected - flaky.length, flaky: flaky.length };
  return { stats, failures: [...failures, ...flaky] };
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
