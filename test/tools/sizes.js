// The size of the script, in kB after brotli, as the service sends it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** The product's budgets, in kB after brotli. */
export const budgets = { launcher: 12, answer: 70 };

/**
 * Limits while a budget is not met, in kB after brotli, to 0.1 kB. Lower them with every gain; never raise them for a
 * feature.
 */
export const ceilings = { launcher: 12.5, answer: 96.9 };

/** By how much brotli's result jumps with any change of the code, even a removed line, in kB. */
export const jitter = 0.2;

/** Number of sets of names with which a module is weighed. */
const samples = 4;

const nameOf = (part, sample) =>
  createHash('sha256')
    .update(sample + part)
    .digest('base64url')
    .slice(0, 8);

/**
 * Weight of a module in kB after brotli. The names of its imports are random and change the answer's weight by up to
 * 0.2 kB, so this is the mean with several sets of names, the same in each build.
 */
export function weigh(code) {
  let bytes = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const named = code.replace(/([\w-]+)-[\w-]{8}\.js/g, (_, part) => `${part}-${nameOf(part, sample)}.js`);
    bytes += brotliCompressSync(named).length;
  }
  return bytes / samples / 1000;
}

/** Size in kB of each module of a built script, largest first, with the modules that it imports statically. */
export function readSizes(directory) {
  const files = ['agent-chat.js', ...readdirSync(join(directory, 'chunks')).map((file) => `chunks/${file}`)];
  return files
    .filter((file) => file.endsWith('.js') && existsSync(join(directory, file)))
    .map((file) => {
      const text = readFileSync(join(directory, file), 'utf8');
      // minified: `import{a as b}from"./x.js"` and `import"./x.js"`, never `import(`
      const needs = [...text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)].map(
        ([, name]) => `chunks/${name}`,
      );
      const name = basename(file, '.js').replace(/-[\w-]{8}$/, '');
      return { file, name: name || file, kilobytes: weigh(text), needs };
    })
    .sort((one, other) => other.kilobytes - one.kilobytes);
}

/** Modules and everything that they import statically. */
export function closureOf(sizes, names) {
  const found = new Map();
  const add = (part) => {
    if (!part || found.has(part.file)) return;
    found.set(part.file, part);
    for (const need of part.needs) add(sizes.find(({ file }) => file === need));
  };
  for (const name of names) add(sizes.find((part) => part.name === name));
  return [...found.values()];
}

/** The table that the build prints. */
export function sizeTable(directory) {
  const sizes = readSizes(directory);
  const sum = (parts) => parts.reduce((total, { kilobytes }) => total + kilobytes, 0);
  const launcher = closureOf(sizes, ['agent-chat', 'mount']);
  const answer = closureOf(sizes, ['agent-chat', 'mount', 'runtime']);
  const rest = sizes.filter((part) => !answer.includes(part));
  const row = (name, kilobytes, limit) =>
    `${name.padEnd(34)}${kilobytes.toFixed(1).padStart(7)} kB${limit ? `  of ${limit}` : ''}${limit && kilobytes > limit ? '  OVER' : ''}`;
  return [
    'brotli, quality 11',
    row('launcher (at page load)', sum(launcher), budgets.launcher),
    row('panel and a finished answer', sum(answer), budgets.answer),
    ...answer.filter((part) => !launcher.includes(part)).map((part) => row(`  ${part.name}`, part.kilobytes)),
    row(`on demand, ${rest.length} parts`, sum(rest)),
    ...rest.filter(({ kilobytes }) => kilobytes >= 2).map((part) => row(`  ${part.name}`, part.kilobytes)),
  ].join('\n');
}
