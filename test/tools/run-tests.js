// `npm test`: types and lint, then browser, node and end-to-end tests; closes with one line that counts them all.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findBrowser } from './find-browser.js';

rmSync('test/.results', { recursive: true, force: true });
mkdirSync('test/.results', { recursive: true });
const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
let broken = 0;

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

if (counts.flaky > 0) console.log(`${counts.flaky} passed only when run again.`);
if (broken > 0) console.log(`${broken} part(s) did not pass.`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(broken > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0);

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
  if (status !== 0) broken += 1;
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
      if (title) process.stdout.write(`\n── ${title}\n${Buffer.concat(printed)}`);
      resolve(code ?? 1);
    });
  });
}

function add(result) {
  try {
    const { stats } = JSON.parse(readFileSync(`test/.results/${result}.json`, 'utf8'));
    counts.passed += stats.expected + (stats.flaky ?? 0);
    counts.flaky += stats.flaky ?? 0;
    counts.failed += stats.unexpected;
    counts.skipped += stats.skipped;
  } catch {
    console.log(`── ${result}: no result was written`);
    broken += 1;
  }
}
