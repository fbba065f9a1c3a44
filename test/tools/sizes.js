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
export const ceilings = { launcher: 11.8, answer: 90.6 };

/** By how much brotli's result jumps with any change of the code, even a removed line, in kB. */
export const jitter = 0.2;

const nameOf = (part, sample) =>
  createHash('sha256')
    .update(sample + part)
    .digest('base64url')
    .slice(0, 8);

/** Weights in bytes by code: brotli takes up to two seconds for a module. */
const weighed = new Map();

/**
 * Weight of a module in kB after brotli. The names of its imports are random and change the weight of an answer's
 * modules by up to 0.2 kB, so this is the mean with `samples` sets of names, the same in each build.
 */
export function weigh(code, samples = 2) {
  let bytes = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const named = code.replace(/([\w-]+)-[\w-]{8}\.js/g, (_, part) => `${part}-${nameOf(part, sample)}.js`);
    if (!weighed.has(named)) weighed.set(named, brotliCompressSync(named).length);
    bytes += weighed.get(named);
  }
  return bytes / samples / 1000;
}

/** The modules of a built script, with the modules that they import statically. */
export function readModules(directory) {
  const files = ['agent-chat.js', ...readdirSync(join(directory, 'chunks')).map((file) => `chunks/${file}`)];
  return files
    .filter((file) => file.endsWith('.js') && existsSync(join(directory, file)))
    .map((file) => {
      const code = readFileSync(join(directory, file), 'utf8');
      // minified: `import{a as b}from"./x.js"` and `import"./x.js"`, never `import(`
      const needs = [...code.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)].map(
        ([, name]) => `chunks/${name}`,
      );
      const name = basename(file, '.js').replace(/-[\w-]{8}$/, '');
      return { file, name: name || file, code, needs };
    });
}

/** The named modules and everything that they import statically. */
export function closureOf(modules, names) {
  const found = new Set();
  const add = (module) => {
    if (!module || found.has(module)) return;
    found.add(module);
    for (const need of module.needs) add(modules.find(({ file }) => file === need));
  };
  for (const name of names) add(modules.find((module) => module.name === name));
  return [...found];
}

/** Weight in kB of the named modules and everything that they import statically. */
export function weighClosure(modules, names) {
  return closureOf(modules, names).reduce((sum, { code }) => sum + weigh(code), 0);
}

/** The table that the build prints. */
export function sizeTable(directory) {
  const modules = readModules(directory);
  const launcher = closureOf(modules, ['agent-chat']);
  const answer = closureOf(modules, ['agent-chat', 'runtime']);
  // no limit: one set of names is enough
  const onDemand = modules
    .filter((module) => !answer.includes(module))
    .map(({ name, code }) => ({ name, kilobytes: weigh(code, 1) }))
    .sort((one, other) => other.kilobytes - one.kilobytes);
  const row = (name, kilobytes, note = '') =>
    `${name.padEnd(34)}${kilobytes.toFixed(1).padStart(7)} kB${note}`;
  const limited = (name, kilobytes, key) => {
    const limit = ceilings[key] + jitter;
    const over = kilobytes > limit ? `  OVER THE LIMIT of ${limit.toFixed(1)}` : '';
    return row(name, kilobytes, `  aim ${budgets[key]}${over}`);
  };
  return [
    'brotli, quality 11',
    limited('launcher (at page load)', weighClosure(modules, ['agent-chat']), 'launcher'),
    limited('panel and a finished answer', weighClosure(modules, ['agent-chat', 'runtime']), 'answer'),
    ...answer
      .filter((module) => !launcher.includes(module))
      .map(({ name, code }) => row(`  ${name}`, weigh(code))),
    row(
      `on demand, ${onDemand.length} parts`,
      onDemand.reduce((sum, { kilobytes }) => sum + kilobytes, 0),
    ),
    ...onDemand
      .filter(({ kilobytes }) => kilobytes >= 2)
      .map(({ name, kilobytes }) => row(`  ${name}`, kilobytes)),
  ].join('\n');
}
