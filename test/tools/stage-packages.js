// The two npm packages of this repository, made from the build: `agent-chat` for pages, `agent-chat-service` for Node.
// Their manifests are derived from package.json, and their dependencies from what the built files import.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const serviceEntry = './service';

/**
 * The range of optional peers. With a narrower one, npm refuses to install the service in an app that has another
 * version, even if the app's settings never load it.
 */
const anyVersion = '*';

const shared = ['CHANGELOG.md', 'LICENSE', 'demo/docs'];
const script = ['dist/agent-chat.js', 'dist/chunks', 'dist/third-party-notices.txt'];

/**
 * Writes both packages below a folder, as they are published.
 * @param {string} folder emptied first
 * @param {string} [scope] such as `@example`; part of the published names
 * @returns {Promise<{ name: string, folder: string }[]>}
 */
export async function stagePackages(folder, scope) {
  rmSync(folder, { recursive: true, force: true });
  const staged = [
    stageWidget(join(folder, 'agent-chat')),
    await stageService(join(folder, 'agent-chat-service')),
  ];
  for (const { folder: target } of scope ? staged : []) {
    const own = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    writeManifest(target, { ...own, name: `${scope}/${own.name}` });
  }
  return staged;
}

function stageWidget(folder) {
  const { [serviceEntry]: _service, ...entries } = manifest.exports;
  const files = [...script, 'dist/lib', 'dist/agent-chat.d.ts', 'dist/custom-elements.json'];
  copy(folder, [...shared, ...files, 'dist/html-custom-data.json', 'README.md']);
  copyTypes(
    folder,
    Object.values(entries).flatMap(({ types }) => types ?? []),
  );
  writeManifest(folder, {
    ...commonFields(),
    description: manifest.description,
    keywords: manifest.keywords,
    sideEffects: manifest.sideEffects.filter((path) => path.startsWith('./dist/')),
    main: manifest.main,
    types: manifest.types,
    unpkg: manifest.unpkg,
    jsdelivr: manifest.jsdelivr,
    customElements: manifest.customElements,
    exports: entries,
    dependencies: manifest.dependencies,
    peerDependencies: manifest.peerDependencies,
    peerDependenciesMeta: manifest.peerDependenciesMeta,
  });
  return { name: 'agent-chat', folder };
}

async function stageService(folder) {
  const name = 'agent-chat-service';
  const { onDemand } = await importSource('src/service/errors/server-packages.ts');
  copy(folder, [...shared, ...script, 'dist/service', 'dist/demo']);
  stageDeployment(folder);
  copyTypes(folder, [manifest.exports[serviceEntry].types]);
  const imported = [...importsOf(join(folder, 'dist/service')), ...importsOf(join(folder, 'dist/types'))];
  const required = [...new Set(imported)].sort().filter((each) => !onDemand.includes(each));
  const readme = readFileSync(`${root}demo/docs/service.md`, 'utf8');
  writeFileSync(join(folder, 'README.md'), readme.replace(/\]\((?=[\w-]+\.md)/g, '](demo/docs/'));
  writeManifest(folder, {
    ...commonFields(),
    name,
    description: 'Service for the chat widget agent-chat: threads, streams, agents, tools and decisions.',
    keywords: ['chat', 'agent', 'service', 'streaming', 'fastify'],
    bin: { [name]: manifest.bin['agent-chat'], ...manifest.bin },
    exports: { '.': manifest.exports[serviceEntry], './package.json': './package.json' },
    dependencies: {
      ...Object.fromEntries(required.map((each) => [each, rangeOf(each)])),
      ...pinnedDependencies(required),
    },
    peerDependencies: Object.fromEntries(onDemand.map((each) => [each, anyVersion])),
    peerDependenciesMeta: Object.fromEntries(onDemand.map((each) => [each, { optional: true }])),
  });
  return { name, folder };
}

/** The files of the deployment; the image is made from the package instead of the sources. */
function stageDeployment(folder) {
  const deploy = 'demo/deploy';
  copy(
    folder,
    ['compose.yaml', 'nginx.conf', 'agents.json'].map((name) => `${deploy}/${name}`),
  );
  cpSync(`${root}${deploy}/package.Dockerfile`, join(folder, deploy, 'Dockerfile'));
}

/** The fields that both manifests share. */
function commonFields() {
  const { name, version, license, author, type, engines, repository, homepage, bugs } = manifest;
  return {
    name,
    version,
    license,
    author,
    type,
    engines,
    repository,
    homepage,
    bugs,
    files: ['dist', 'demo', 'CHANGELOG.md'],
  };
}

/** The range of the version that this repository is built and tested with. */
function rangeOf(name) {
  const version = manifest.dependencies[name] ?? manifest.devDependencies[name];
  if (version === undefined)
    throw new Error(`dist/service imports ${name}, which package.json does not name`);
  return version.startsWith('^') ? version : `^${version}`;
}

/**
 * Packages that `overrides` pins, because their newer versions refuse Node 20, if a dependency uses them. As direct
 * dependencies, npm installs the pinned version for all that use them.
 */
function pinnedDependencies(required) {
  const used = required.flatMap((name) => {
    const file = `${root}node_modules/${name}/package.json`;
    return Object.keys(JSON.parse(readFileSync(file, 'utf8')).dependencies ?? {});
  });
  return Object.fromEntries(Object.entries(manifest.overrides).filter(([name]) => used.includes(name)));
}

function writeManifest(folder, content) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}

function copy(folder, paths) {
  for (const path of paths) {
    if (!existsSync(root + path)) throw new Error(`${path} is missing: npm run build`);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(root + path, join(folder, path), { recursive: true });
  }
}

/** Copies type declarations, and those that they import. A `*` in a path stands for every file of its folder. */
function copyTypes(folder, entries) {
  const pending = entries.filter((path) => path.includes('/types/')).flatMap(matching);
  const seen = new Set();
  for (const path of pending) {
    if (seen.has(path)) continue;
    seen.add(path);
    copy(folder, [path]);
    const text = readFileSync(root + path, 'utf8');
    for (const [, target] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g))
      pending.push(posix.join(posix.dirname(path), target.replace(/\.[jt]s$/, '.d.ts')));
  }
}

function matching(path) {
  const relative = path.replace(/^\.\//, '');
  if (!relative.includes('*')) return [relative];
  const folder = posix.dirname(relative);
  const names = readdirSync(root + folder).filter((name) => name.endsWith('.d.ts'));
  return names.map((name) => `${folder}/${name}`);
}

/**
 * Names of the packages that the files of a folder import, sorted.
 * @param {string} folder
 * @param {...string} endings of the files; without any, scripts and declarations
 * @returns {string[]}
 */
export function importsOf(folder, ...endings) {
  const wanted = endings.length > 0 ? endings : ['.js', '.d.ts'];
  const names = new Set();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!wanted.some((ending) => file.endsWith(ending))) continue;
    const text = readFileSync(join(folder, file), 'utf8').replace(/^\s*\*.*$/gm, ''); // without comments
    for (const [, name] of text.matchAll(/(?:from|import)\s*\(?\s*["']([^."'][^"']*)["']/g)) {
      if (name.startsWith('node:') || builtinModules.includes(name)) continue;
      if (!/^[@a-z][\w@./-]*$/.test(name)) continue;
      names.add(
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    }
  }
  return [...names].sort();
}

/** Imports a TypeScript file of this repository. */
async function importSource(path) {
  return (await runnerImport(root + path, { configFile: false, root, logLevel: 'error' })).module;
}
