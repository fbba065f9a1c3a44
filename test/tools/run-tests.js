// `npm test` runs everything. `npm run test:quick` (argument `quick`) runs what needs no build: types, lint, node and
// browser unit tests. Both print the number of tests as the last line.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { combineRuns, failedFiles } from './browser-reporter.js';
import { findBrowser } from './find-browser.js';

const isQuick = process.argv.includes('quick');
const startedAt = Date.now();
const cores = availableParallelism();

if (!isQuick) rmSync('test/.results', { recursive: true, force: true });
mkdirSync('test/.results', { recursive: true });
const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
/** Names of the parts that failed. */
const broken = [];
/** Tests that failed, or passed only when run again: a title and details. Printed at the end, where people look. */
const failures = [];

const browser = findBrowser().then((path) => {
  console.log(`Browser: ${path}`);
  process.env.CHROME_PATH = path;
});

// Parts run in parallel: tests in a page wait for two thirds of their time, which leaves the core to other parts.
if (isQuick) {
  process.env.QUICK = '1';
  await Promise.all([
    inOrder(
      () => part('format', 'check:format'),
      () => part('lint', 'check:lint:quick'),
      () => part('types', 'check:types'),
    ),
    part('node unit tests', 'test:unit', { result: 'unit', workers: cores }),
    inOrder(
      () => browser,
      () => part('browser tests', 'test:browser', { result: 'browser', workers: cores }),
    ),
  ]);
} else {
  const built = part('build', 'build');
  process.env.SERVICE_BUILT = '1';
  await Promise.all([
    inOrder(
      () => browser,
      () => built,
      () =>
        part('node and end-to-end tests', 'test:playwright', {
          result: 'playwright',
          workers: 2 * cores,
          isLoud: true,
        }),
    ),
    inOrder(
      () => browser,
      () => built,
      () => part('browser tests', 'test:browser', { result: 'browser', workers: 1, runsAgain: true }),
    ),
    inOrder(
      () => part('lint', 'check:lint'),
      () => part('format', 'check:format'),
      () => built, // for the types of the package
      () => part('types', 'check:types'),
    ),
  ]);
}

tell();
if (counts.flaky > 0) console.log(`${counts.flaky} passed only when run again.`);
if (broken.length > 0) console.log(`Did not pass: ${broken.join(', ')}.`);
const seconds = isQuick ? `, ${secondsSince(startedAt)} s` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped${seconds}`);
process.exit(broken.length > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0);

async function inOrder(...steps) {
  for (const step of steps) await step();
}

/**
 * Runs one part, a script of the package.
 * @param {string} name
 * @param {string} script
 * @param {{ result?: string, workers?: number, runsAgain?: boolean, isLoud?: boolean }} options
 *   `result`: name of the file to which it writes its counts. `workers`: number of parallel workers; the variable
 *   `WORKERS` has precedence. `runsAgain`: run failed files once more, for runners that cannot repeat a test. `isLoud`:
 *   print its output at once instead of at its end, which keeps parallel parts apart.
 */
async function part(name, script, { result, workers, runsAgain = false, isLoud = false } = {}) {
  const started = Date.now();
  const env = {
    ...(workers ? { WORKERS: String(workers) } : {}),
    ...process.env,
  };
  if (result) for (const each of [result, again(result)]) rmSync(resultFile(each), { force: true });
  if (isLoud) console.log(`\n── ${name}`);
  const runOnce = async (files, resultName = result) => {
    const named = result ? { ...env, RESULT: resultName } : env;
    const ended = await runScript(script, { env: named, isLoud, files });
    if (!isLoud && !isQuick) process.stdout.write(`\n── ${name}\n${ended.output}`);
    return ended;
  };
  let run = await runOnce([]);
  if (runsAgain && run.status !== 0) {
    const files = filesToRepeat(result);
    console.log(`── ${name}: once more`, ...files);
    run = await (files.length > 0 ? runOnce(files, again(result)) : runOnce([]));
  }
  const isGood = run.status === 0;
  console.log(`── ${name}: ${isGood ? 'good' : 'NOT GOOD'}, ${secondsSince(started)} s`);
  if (!isGood) broken.push(name);
  const found = result ? count(result) : [];
  if (!isGood && found.length === 0)
    found.push({ title: `FAILED ${name}`, lines: run.output.trimEnd().split('\n') });
  // after a quick run, print the first failure at once
  if (isQuick && failures.length === 0 && found[0]) console.log(inFull(found[0]));
  failures.push(...found);
}

/** Runs a script to its end, with the names of files as its arguments. */
function runScript(script, { env, isLoud, files }) {
  return new Promise((resolve) => {
    const output = isLoud ? 'inherit' : 'pipe';
    const child = spawn('npm', ['run', '--silent', script, '--', ...files], {
      stdio: ['ignore', output, output],
      env,
    });
    const printed = [];
    child.stdout?.on('data', (data) => printed.push(data));
    child.stderr?.on('data', (data) => printed.push(data));
    child.on('error', (error) => resolve({ status: 1, output: String(error) }));
    child.on('close', (code) => resolve({ status: code ?? 1, output: Buffer.concat(printed).toString() }));
  });
}

/** Adds the counts that a part has written. Returns its failures. */
function count(result) {
  try {
    const run = readResult(result);
    const { stats, failures, suites } = run.suites ? run : combineRuns(run, readSecond(result));
    counts.passed += stats.expected + (stats.flaky ?? 0);
    counts.flaky += stats.flaky ?? 0;
    counts.failed += stats.unexpected;
    counts.skipped += stats.skipped;
    return [...(failures ?? []), ...(suites ?? []).flatMap((suite) => [...failuresOf(suite)])];
  } catch {
    broken.push(`${result} (no result)`);
    return [];
  }
}

/** Yields the tests of a suite that failed, or passed only when run again, with their errors. */
function* failuresOf(suite) {
  for (const { title, file, line, tests } of suite.specs ?? []) {
    for (const { status, results } of tests) {
      if (status !== 'unexpected' && status !== 'flaky') continue;
      const { message, snippet = '' } = results.find(({ error }) => error)?.error ?? {
        message: 'without an error',
      };
      const lines = stripVTControlCharacters(`${message}\n${snippet}`).split('\n').filter(Boolean);
      yield { title: `${status === 'flaky' ? 'RUN AGAIN' : 'FAILED'} ${file}:${line} › ${title}`, lines };
    }
  }
  for (const inner of suite.suites ?? []) yield* failuresOf(inner);
}

/** Prints the failures: all of them in short, or after a quick run the titles of those after the first. */
function tell() {
  for (const { title, lines } of isQuick ? failures.slice(1) : failures)
    console.log(inFull({ title, lines: isQuick ? [] : lines.slice(0, 30) }));
}

function inFull({ title, lines }) {
  return ['', title, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** The files that failed; none if nothing was written, as after a crash. */
function filesToRepeat(result) {
  try {
    return failedFiles(readResult(result));
  } catch {
    return [];
  }
}

function readSecond(result) {
  return existsSync(resultFile(again(result))) ? readResult(again(result)) : undefined;
}

function readResult(result) {
  return JSON.parse(readFileSync(resultFile(result), 'utf8'));
}

/** The name of the result of a second run. */
function again(result) {
  return `${result}-again`;
}

function resultFile(result) {
  return `test/.results/${result}.json`;
}

function secondsSince(time) {
  return Math.round((Date.now() - time) / 1000);
}
