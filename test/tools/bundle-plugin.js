import { extname, relative } from 'node:path';
import { build } from 'esbuild';

const types = { '.js': 'js', '.map': 'json' };

/**
 * Serves the browser tests from one bundle in memory, so that a page loads a few files instead of hundreds of modules.
 * A module that several tests import is in one chunk, so that each page registers an element only once.
 * @param {{ root: string, files: string[], conditions: string[] }} options `files`: the tests, relative to `root`
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function bundlePlugin({ root, files, conditions }) {
  /** Contents by path on the server. */
  let served;
  return {
    name: 'bundle',
    serve({ path }) {
      served ??= bundle({ root, files, conditions });
      return served.then((contents) => {
        const body = contents.get(path);
        return body === undefined ? undefined : { body, type: types[extname(path)] ?? 'js' };
      });
    },
  };
}

async function bundle({ root, files, conditions }) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: files,
    outbase: root,
    outdir: root,
    chunkNames: 'chunks/[name]-[hash]',
    entryNames: '[dir]/[name]',
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions,
    // keep imports that only have side effects
    ignoreAnnotations: true,
    define: {
      'process.env.QUICK': JSON.stringify(process.env.QUICK ?? ''),
      // number of colour triples in chat-contrast.test.ts
      'process.env.TRIPLES': JSON.stringify(process.env.TRIPLES ?? '8'),
      // number of changes in live-settings.test.ts; CHANGES=… makes a longer run
      'process.env.CHANGES': JSON.stringify(process.env.CHANGES ?? (process.env.QUICK ? '2' : '6')),
    },
    // the runner serves its own modules
    external: ['/__web-dev-server__web-socket.js'],
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  const contents = new Map();
  for (const { path, text } of outputFiles) {
    const name = `/${relative(root, path)}`;
    contents.set(name, text);
    // the runner requests a test by the name of its source
    contents.set(name.replace(/\.test\.js$/, '.test.ts'), text);
  }
  return contents;
}
