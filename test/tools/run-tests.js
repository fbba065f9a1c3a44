// `npm test`: types and lint, then browser, node and end-to-end tests; closes with one line that counts them all.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { findBrowser } from './find-browser.js';

rmSync('test/.results', { recursive: true, force: true });
mkdirSync('test/.results', { recursive: true });
const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
/** Names of the parts that did not pass. */
const broken = [];
/** What the end of the output says of tests that failed, or passed only when run again: a log's end is what is read. */
const told = [];

process.env.CHROME_PATH = await findBrowser();
console.log(`Browser: ${process.env.CHROME_PATH}`);

// what needs one core only goes in two rows
const built = part('build', 'build', { isQuiet: true });
await Promise.all([
  (async () => {
    await part('lint', 'check:lint', { isQuiet: true });
    await part('format', 'check:format', { isQuiet: true });
    await built; // for the types of the package
    await part('types', 'check:types', { isQuiet: true });
  })(),
  (async () => {
    await built;
    await part('browser tests', 'test:browser', { result: 'browser', tries: 2, isQuiet: true });
  })(),
]);
await part('node tests', 'test:node', { result: 'node' });
await part('end-to-end tests', 'test:e2e', { result: 'e2e' });

if (told.length > 0) console.log(`\n${told.join('\n')}`);
if (counts.flaky > 0) console.log(`${counts.flaky} passed only when run again.`);
if (broken.length > 0) console.log(`Did not pass: ${broken.join(', ')}.`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(broken.length > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0);

/**
 * Runs one part, a script of the package.
 * @param {string} name
 * @param {string} script
 * @param {{ result?: string, tries?: number, isQuiet?: boolean }} options
 *   `tries`: how often, where its own runner cannot run a single test again. `isQuiet`: what it printed comes when it
 *   has ended, as others run beside it.
 */
async function part(name, script, { result, tries = 1, isQuiet = false }) {
  const started = Date.now();
  if (!isQuiet) console.log(`\n── ${name}`);
  const env = { ...process.env, ...(result ? { RESULT: result } : {}) };
  let status = 1;
  for (let attempt = 1; attempt <= tries && status !== 0; attempt += 1) {
    if (attempt > 1) console.log(`── ${name}: once more`);
    status = await run(script, env, isQuiet ? name : '');
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`── ${name}: ${status === 0 ? 'good' : 'NOT GOOD'}, ${seconds} s`);
  if (status !== 0) broken.push(name);
  if (result) add(result);
}

/** Runs a script to its end; resolves with its exit code. A title: all it printed is shown under it, at the end. */
function run(script, env, title) {
  return new Promise((resolve) => {
    const output = title ? 'pipe' : 'inherit';
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', output, output], env });
    const printed = [];
    child.stdout?.on('data', (data) => printed.push(data));
    child.stderr?.on('data', (data) => printed.push(data));
    child.on('error', () => resolve(1));
    child.on('close', (code) => {
      const text = Buffer.concat(printed).toString();
      if (title) process.stdout.write(`\n── ${title}\n${text}`);
      if (title && code !== 0 && !env.RESULT)
        told.push(`FAILED ${title}`, ...text.trimEnd().split('\n').slice(-30));
      resolve(code ?? 1);
    });
  });
}

/** Adds what a part wrote of its tests to the counts, and what failed to what is told at the end. */
function add(result) {
  try {
    const { stats, failures, suites } = JSON.parse(readFileSync(`test/.results/${result}.json`, 'utf8'));
    counts.passed += stats.expected + (stats.flaky ?? 0);
    counts.flaky += stats.flaky ?? 0;
    counts.failed += stats.unexpected;
    counts.skipped += stats.skipped;
    told.push(...(failures ?? []), ...(suites ?? []).flatMap((suite) => [...troubles(suite)]));
  } catch {
    console.log(`── ${result}: no result was written`);
    broken.push(`${result} (no result)`);
  }
}

/** Every test of a suite that failed, or passed only when run again, with the first lines of what was wrong. */
function* troubles(suite) {
  for (const { title, file, line, tests } of suite.specs ?? []) {
    for (const { status, results } of tests) {
      if (status !== 'unexpected' && status !== 'flaky') continue;
      const said = results.find(({ error }) => error)?.error.message ?? 'no error was told';
      const lines = stripVTControlCharacters(said).split('\n').filter(Boolean).slice(0, 8);
      yield [`${status === 'flaky' ? 'RUN AGAIN' : 'FAILED'} ${file}:${line} › ${title}`, ...lines].join(
        '\n    ',
      );
    }
  }
  for (const inner of suite.suites ?? []) yield* troubles(inner);
}
