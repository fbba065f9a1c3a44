// `npm test` runs everything. `npm run test:quick` (argument `quick`) runs what needs no build: types, lint, node and
// browser unit tests. Both print the number of tests as the last line.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
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
      () => part('browser tests', 'test:browser', { result: 'browser', workers: 1, tries: 2 }),
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
 * @param {{ result?: string, workers?: number, tries?: number, isLoud?: boolean }} options
 *   `result`: name of the file to which it writes its counts. `workers`: number of parallel workers; the variable
 *   `WORKERS` has precedence. `tries`: maximum number of runs, for runners that cannot repeat a single test. `isLoud`:
 *   print its output at once instead of at its end, which keeps parallel parts apart.
 */
async function part(name, script, { result, workers, tries = 1, isLoud = false } = {}) {
  const started = Date.now();
  const env = {
    ...(workers ? { WORKERS: String(workers) } : {}),
    ...process.env,
    ...(result ? { RESULT: result } : {}),
  };
  let run = { status: 1, output: '' };
  for (let attempt = 1; attempt <= tries && run.status !== 0; attempt += 1) {
    if (attempt > 1) console.log(`── ${name}: once more`);
    if (result) rmSync(resultFile(result), { force: true });
    if (isLoud) console.log(`\n── ${name}`);
    run = await runScript(script, env, isLoud);
    if (!isLoud && !isQuick) process.stdout.write(`\n── ${name}\n${run.output}`);
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

/** Runs a script to its end. */
function runScript(script, env, isLoud) {
  return new Promise((resolve) => {
    const output = isLoud ? 'inherit' : 'pipe';
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', output, output], env });
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
    const { stats, failures, suites } = JSON.parse(readFileSync(resultFile(result), 'utf8'));
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

function resultFile(result) {
  return `test/.results/${result}.json`;
}

function secondsSince(time) {
  return Math.round((Date.now() - time) / 1000);
}
