import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import * as client from '../../src/client/index.ts';
import { installLine } from '../../src/service/errors/server-packages.ts';
import { exportedContentParts } from '../../src/widget/theme/css-parts.ts';
import { partDescriptions } from '../../src/widget/theme/part-descriptions.ts';
import { publicTokens } from '../../src/widget/theme/tokens.ts';
import { compile, hasTypes } from './compile.ts';
import { documents, snippets, textOf } from './snippets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('every table and every quoted file is as the sources have it', async () => {
  const script = `
    import { readFileSync } from 'node:fs';
    import { documents, fillTables, readReference } from './test/tools/reference.js';
    const reference = await readReference();
    const stale = documents().filter((file) => { const text = readFileSync(file, 'utf8'); return fillTables(text, reference) !== text; });
    console.log(JSON.stringify(stale));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
  });
  expect(JSON.parse(stdout), 'run: node test/tools/reference.js').toEqual([]);
});

test('every link inside the documents leads somewhere', () => {
  const dead: string[] = [];
  for (const document of documents) {
    for (const [, target = ''] of textOf(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?|mailto):/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : join(dirname(document), path);
      const anchors = existsSync(root + file) && file.endsWith('.md') ? headings(textOf(file)) : [];
      if (!existsSync(root + file) || (anchor !== undefined && !anchors.includes(anchor)))
        dead.push(`${document}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('every source file that the documents for developers name exists, with the names that stand beside it', () => {
  const files = ['src', 'test', 'demo'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const fileOf = (name: string): string | undefined => files.find((file) => `/${file}`.endsWith(`/${name}`));
  const missing: string[] = [];
  for (const document of ['demo/docs/architecture.md', 'demo/docs/develop.md']) {
    const text = textOf(document);
    for (const [, name = ''] of text.matchAll(/`(\w[\w./-]*\.(?:ts|js))`/g))
      if (!fileOf(name)) missing.push(`${document}: ${name}`);
    // `RunStarter` (`service/runs/run-starter.ts`)
    for (const [, names = '', file = ''] of text.matchAll(/`([\w.]+)`\s\(`([\w./-]+\.ts)`/g)) {
      const path = fileOf(file);
      const source = path === undefined ? '' : readFileSync(root + path, 'utf8');
      for (const name of names.split('.'))
        if (!new RegExp(`\\b${name}\\b`).test(source)) missing.push(`${document}: ${name} in ${file}`);
    }
  }
  expect(missing).toEqual([]);
});

test('every part in the documents stands in a template, and every part of a template is documented', () => {
  const sources = readdirSync(`${root}src/widget`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${root}src/widget/${file}`, 'utf8'))
    .join('\n');
  const missing = Object.keys(partDescriptions).filter(
    (name) =>
      !new RegExp(
        `part=["'][^"']*\\b${name}\\b|[pP]arts? = '[^']*\\b${name}\\b|part\\.add\\('${name}'|\\bpart: '${name}'`,
      ).test(sources),
  );
  expect(missing).toEqual([]);
  const templates = [...sources.matchAll(/\bpart="([\w -]+)"|@csspart (\S+)/g)];
  const used = templates.flatMap(([, inTemplate, inComment]) => (inTemplate ?? inComment ?? '').split(' '));
  expect(used.length).toBeGreaterThan(100);
  const undocumented = [...new Set([...used, ...exportedContentParts.split(', ')])].filter(
    (name) => !Object.hasOwn(partDescriptions, name),
  );
  expect(undocumented, 'add them to theme/part-descriptions.ts and css-parts.ts').toEqual([]);
});

test('every diagnostic that the sources can tell is in the documents, and no other', () => {
  const sources = ['client', 'session', 'widget']
    .flatMap((room) =>
      readdirSync(`${root}src/${room}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(`${root}src/${room}/${file}`, 'utf8')),
    )
    .join('\n');
  const told = /(?:\bcode: |\bdiagnose\(\s*[\w.#]+,\s*)'([a-z]+(?:-[a-z]+)*)'/g;
  const faults = [...sources.matchAll(/type Record(?:Fault|Oddity) = ([^;]+);/g)]
    .flatMap(([, names = '']) => names.split('|'))
    .map((name) => name.trim().replaceAll("'", ''));
  const section =
    textOf('demo/docs/errors.md')
      .split(/^## Misconfigured /m)[1]
      ?.split(/^## /m)[0] ?? '';
  const documented = [...section.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name),
  );
  const codes = new Set([...faults, ...[...sources.matchAll(told)].map(([, name = '']) => name)]);
  expect(documented.filter((name) => name !== 'code').sort()).toEqual([...codes].sort());
});

test('every error that the client exports is in the documents', () => {
  const page = textOf('demo/docs/errors.md');
  const errors = Object.entries(client).flatMap(([name, value]) =>
    'prototype' in value && value.prototype instanceof client.AgentChatError ? name : [],
  );
  expect(errors.length).toBeGreaterThan(5);
  expect(errors.filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual([]);
});

test('there are no more public tokens than a person can keep in mind', () => {
  expect(publicTokens.length).toBeLessThanOrEqual(25);
});

test('every command in the documents exists', async () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  const lines = snippets('sh').flatMap(({ text }) => text.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) {
    for (const [, name = ''] of line.matchAll(/npm (?:run )?(start|test|dev|bench|build|pack)\b/g)) {
      expect(Object.keys(scripts)).toContain(name);
    }
    const [, command = '', options = ''] = /npx agent-chat-service (\w+)(.*)$/.exec(line) ?? [];
    if (command === '') continue;
    const help = readFileSync(`${root}src/service/cli/help-text.ts`, 'utf8');
    expect(help).toContain(`  ${command}: \`agent-chat-service ${command}`);
    for (const [option] of options.matchAll(/--[\w-]+/g)) expect(help).toContain(option);
  }
});

test('README begins with commands that need nothing from the npm registry but the dependencies', () => {
  const [first] = snippets('sh').filter(({ document }) => document === 'README.md');
  expect(first?.text).toBe('npm ci && npm start\nnpm ci && npm test\n');
});

test('the packed files in the documents have the version of this repository', () => {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
  const files = documents.flatMap((document) => textOf(document).match(/agent-chat[\w.-]*\.tgz/g) ?? []);
  expect([...new Set(files)].sort()).toEqual([
    `agent-chat-${version}.tgz`,
    `agent-chat-service-${version}.tgz`,
  ]);
});

test('README has the figures of the page on what was measured', () => {
  const column = textOf('demo/docs/measured.md')
    .match(/^\| (?:mixed|one \w+) \|.*$/gm)
    ?.map((row) => Number(row.split('|')[3]));
  expect(column).toHaveLength(5);
  const [least, most] = [Math.min(...(column ?? [])), Math.max(...(column ?? []))];
  expect(textOf('README.md')).toContain(`takes ${least} to ${most} times the main-thread time`);
});

test('every JSON in the documents can be read', () => {
  for (const { text } of snippets('json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
});

test('every piece of JavaScript in the documents is right in TypeScript too', async () => {
  test.skip(!hasTypes, 'dist/ is not complete: npm run build');
  const texts = new Map(
    snippets('js').map(({ document, text }, place) => [
      `${document.replace(/\W/g, '-')}-${place}.ts`,
      `${text}\nexport {};`,
    ]),
  );
  expect(texts.size).toBeGreaterThan(10);
  // a page knows that its own element is there
  const options = { strictNullChecks: false, exactOptionalPropertyTypes: false };
  expect(await compile(texts, options)).toEqual([]);
});

test('the documents install what the service itself asks to install', () => {
  const lines = snippets('sh').flatMap(
    ({ text }) => /npm install agent-chat-service$/m.exec(text)?.[0] ?? [],
  );
  expect(lines[0]).toBe(installLine());
});

test('the alerts of the deployment read metrics that the service has', () => {
  const metrics = textOf('src/service/metrics.ts');
  const names = textOf('demo/deploy/alerts.yaml').match(/agent_chat_[a-z_]+/g) ?? [];
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(metrics).toContain(`'${name.replace(/_bucket$/, '')}'`);
});

test('the proxy of the deployment finds replaced instances, and lets the service refuse what is too large', () => {
  const conf = textOf('demo/deploy/nginx.conf');
  // nginx looks up a plain name once, at its start; one in a variable while it runs.
  const [, variable = ''] = /proxy_pass http:\/\/\$(\w+);/.exec(conf) ?? [];
  expect(conf).toMatch(new RegExp(`set \\$${variable} chat:8787;`));
  expect(conf).toMatch(/resolver \S+ valid=\d+s/);
  expect(Number(/client_max_body_size (\d+)m;/.exec(conf)?.[1])).toBeGreaterThan(1);
});
