import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { colourTokens, measureTokens } from '../src/widget/theme/tokens.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** Who may import whom; a room may always import itself. */
const rooms: Record<string, readonly string[]> = {
  protocol: [],
  client: ['protocol'],
  conversation: ['protocol'],
  session: ['protocol', 'client', 'conversation'],
  markdown: [],
  widget: ['conversation', 'session', 'markdown', 'protocol', 'client'],
  embed: ['widget'],
  react: ['widget'],
  vue: ['widget'],
  svelte: ['widget'],
  service: ['protocol', 'client', 'verify'],
  verify: ['protocol', 'client'],
};

/**
 * Who may import whom inside a room. A key is a folder or a file at the room's root; imports only go down the table.
 */
const innerRooms: Record<string, Record<string, readonly string[]>> = {
  widget: {
    'define.ts': ['index.ts', 'element', 'platform'],
    'index.ts': ['element', 'config', 'i18n', 'events'],
    element: [
      'runtime',
      'panel',
      'persistence',
      'chat-host.ts',
      'platform',
      'config',
      'i18n',
      'events',
      'theme',
    ],
    runtime: [
      'panel',
      'tabs',
      'contexts.ts',
      'content',
      'persistence',
      'chat-host.ts',
      'platform',
      'config',
      'i18n',
      'events',
      'theme',
    ],
    panel: [
      'announcements',
      'contexts.ts',
      'content',
      'markdown',
      'platform',
      'config',
      'i18n',
      'events',
      'theme',
    ],
    announcements: ['contexts.ts', 'content', 'platform', 'config', 'i18n', 'events'],
    tabs: ['contexts.ts', 'persistence', 'chat-host.ts'],
    'contexts.ts': ['platform', 'config', 'i18n'],
    content: ['markdown', 'persistence', 'platform', 'config', 'i18n', 'events', 'theme'],
    markdown: ['platform', 'i18n', 'events', 'theme'],
    persistence: ['config'],
    'chat-host.ts': ['config', 'i18n'],
    config: ['platform', 'i18n', 'events'],
    platform: ['events'],
    i18n: [],
    events: [],
    theme: [],
  },
  service: {
    'cli.ts': ['cli'],
    'index.ts': ['create-service.ts', 'agents', 'settings.ts', 'setting-table.ts'],
    cli: [
      'create-service.ts',
      'agents',
      'auth',
      'storage',
      'errors',
      'settings.ts',
      'setting-kinds.ts',
      'setting-reader.ts',
      'setting-table.ts',
      'version.ts',
    ],
    'create-service.ts': [
      'log-throttle.ts',
      'reload.ts',
      'routes',
      'decisions',
      'service-context.ts',
      'http',
      'runs',
      'guardrails',
      'agents',
      'assets',
      'auth',
      'audit',
      'usage',
      'storage',
      'telemetry',
      'errors',
      'metrics.ts',
      'settings.ts',
      'version.ts',
    ],
    'reload.ts': ['runs', 'agents', 'audit', 'settings.ts'],
    routes: [
      'service-context.ts',
      'openapi',
      'facades',
      'http',
      'runs',
      'guardrails',
      'agents',
      'decisions',
      'assets',
      'auth',
      'storage',
      'errors',
      'in-time.ts',
      'max-timeout.ts',
      'version.ts',
    ],
    'service-context.ts': [
      'decisions',
      'http',
      'runs',
      'agents',
      'auth',
      'audit',
      'usage',
      'storage',
      'metrics.ts',
      'settings.ts',
    ],
    openapi: ['facades', 'http', 'auth', 'version.ts'],
    facades: ['http', 'tools'],
    http: ['runs', 'storage', 'telemetry', 'errors', 'settings.ts', 'in-time.ts', 'log-throttle.ts'],
    runs: ['guardrails', 'agents', 'storage', 'telemetry', 'in-time.ts', 'max-timeout.ts'],
    guardrails: ['agents'],
    decisions: ['tools', 'audit', 'storage', 'errors'],
    agents: [
      'tools',
      'log-throttle.ts',
      'telemetry',
      'errors',
      'settings.ts',
      'setting-reader.ts',
      'duration-field.ts',
      'max-timeout.ts',
    ],
    tools: [
      'telemetry',
      'setting-reader.ts',
      'duration-field.ts',
      'in-time.ts',
      'max-timeout.ts',
      'version.ts',
    ],
    assets: ['storage', 'settings.ts'],
    auth: ['storage', 'errors', 'settings.ts'],
    audit: ['storage', 'settings.ts'],
    usage: ['storage', 'errors'],
    storage: ['settings.ts', 'in-time.ts'],
    telemetry: ['errors', 'version.ts'],
    errors: ['settings.ts'],
    'metrics.ts': ['version.ts'],
    'log-throttle.ts': [],
    'settings.ts': ['setting-reader.ts', 'setting-table.ts'],
    'setting-table.ts': ['setting-kinds.ts'],
    'setting-kinds.ts': ['setting-reader.ts'],
    'setting-reader.ts': [],
    'duration-field.ts': [],
    'in-time.ts': [],
    'max-timeout.ts': [],
    'version.ts': [],
  },
};

const withoutDom = ['protocol', 'client', 'conversation', 'session', 'markdown', 'service', 'verify'];
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(root, file), 'utf8') }));

function imports(text: string): { specifier: string; typeOnly: boolean }[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)(\s+type)?[^;'"]*?from\s*'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...found].map((match) => ({
    specifier: match[2] ?? match[3] ?? match[4] ?? '',
    typeOnly: Boolean(match[1]),
  }));
}

/** Each file below `src` with the files below `src` that it imports. */
const importGraph: ReadonlyMap<string, readonly string[]> = new Map(
  files.map(({ file, text }) => [
    file,
    imports(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => join(dirname(file), specifier).replaceAll('\\', '/')),
  ]),
);

/** The folder of a file inside its room, or the file itself at the room's root. */
function innerRoom(file: string): string {
  return file.split('/')[1] ?? '';
}

/** Every file that a file imports, directly or through others. */
function reachableFrom(file: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of importGraph.get(next) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

test('each room imports only the rooms it may', () => {
  const wrong: string[] = [];
  for (const { file, text } of files) {
    const room = file.split('/')[0] ?? '';
    if (!(room in rooms)) wrong.push(`${file} is in no room`);
    for (const { specifier } of imports(text)) {
      if (!specifier.startsWith('.')) continue;
      // The command passes the demo agent in: no other file of the package depends on the demo.
      if (file === 'service/cli.ts' && specifier.startsWith('../../demo/agents/')) continue;
      const other = relative(root, resolve(root, dirname(file), specifier)).split('/')[0] ?? '';
      if (other !== room && !rooms[room]?.includes(other)) wrong.push(`${file} imports ${specifier}`);
    }
  }
  expect(wrong).toEqual([]);
});

for (const [room, table] of Object.entries(innerRooms)) {
  test(`inside ${room}, imports follow the table`, () => {
    const wrong: string[] = [];
    for (const [file, targets] of importGraph) {
      if (!file.startsWith(`${room}/`)) continue;
      const from = innerRoom(file);
      if (!(from in table)) wrong.push(`${file} is in no inner room`);
      for (const target of targets) {
        const to = innerRoom(target);
        if (target.startsWith(`${room}/`) && to !== from && !table[from]?.includes(to))
          wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test(`the table of ${room} runs one way: down`, () => {
    const order = Object.keys(table);
    const upward = Object.entries(table).flatMap(([from, targets]) =>
      targets.filter((to) => order.indexOf(to) <= order.indexOf(from)).map((to) => `${from} → ${to}`),
    );
    expect(upward).toEqual([]);
  });
}

test('no files import each other in a circle', () => {
  const inCircles = [...importGraph.keys()].filter((file) => reachableFrom(file).has(file));
  expect(inCircles).toEqual([]);
});

test('the widget meets the client only at its composition root', () => {
  const wrong = files.filter(
    ({ file, text }) =>
      file.startsWith('widget/') &&
      !file.startsWith('widget/runtime/') &&
      imports(text).some(({ specifier, typeOnly }) => specifier.includes('/client/') && !typeOnly),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('rooms without a page touch neither DOM nor Lit', () => {
  const wrong = files.filter(
    ({ file, text }) =>
      withoutDom.includes(file.split('/')[0] ?? '') &&
      (/\b(document|window)\.(body|create|query|get|add|document|location|head)|HTMLElement|customElements|localStorage|sessionStorage/.test(
        text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
      ) ||
        imports(text).some(({ specifier }) => /^(lit|@lit)/.test(specifier))),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('only the service uses Node', () => {
  const wrong = files.filter(
    ({ file, text }) =>
      !file.startsWith('service/') && imports(text).some(({ specifier }) => specifier.startsWith('node:')),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('no file is longer than 400 lines, but for the tables of strings', () => {
  const long = files
    .filter(({ file, text }) => !file.startsWith('widget/i18n/locales/') && text.split('\n').length > 401)
    .map(({ file }) => file);
  expect(long).toEqual([]);
});

test('an element has the tag of its file', () => {
  const elements = files.flatMap(({ file, text }) =>
    [...text.matchAll(/@element (\S+)/g)].map(([, tag]) => ({ file, tag })),
  );
  expect(elements.length).toBeGreaterThan(40);
  const wrong = elements.filter(({ file, tag }) => {
    const name = basename(file, '.ts').replace(/-element$/, '');
    return tag !== name && tag !== `agent-chat-${name}`;
  });
  expect(wrong).toEqual([]);
});

test('styles of fifty lines or more stand in a file of their own', () => {
  const long = files.filter(
    ({ file, text }) =>
      !file.endsWith('.styles.ts') &&
      [...text.matchAll(/css`[^`]*`/g)].some(([sheet]) => sheet.split('\n').length > 50),
  );
  expect(long.map(({ file }) => file)).toEqual([]);
});

test('an error that names itself has the name of its class', () => {
  const declared = files.flatMap(({ file, text }) =>
    [...text.matchAll(/class (\w+) extends \w*(?:Error|Failure) \{\s*override readonly name = '(\w+)'/g)].map(
      ([, own, name]) => ({ file, own, name }),
    ),
  );
  expect(declared.length).toBeGreaterThan(15);
  expect(declared.filter(({ own, name }) => own !== name)).toEqual([]);
});

test('no module that loads on demand is destructured: Vite 6 and older break it in the package', () => {
  const wrong = files.filter(
    ({ file, text }) => !/^(service|verify)\//.test(file) && /\{[^{}.=]+\}\s*=\s*await\s+import\(/.test(text),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('no string ever becomes HTML or code', () => {
  const pattern =
    /unsafeHTML|unsafeSVG|\.innerHTML|\.outerHTML|insertAdjacentHTML|DOMParser|styleMap|new Function|[^.\w]eval\(/;
  const wrong = files.filter(({ text }) => pattern.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('every private token is read somewhere: each is worked out for every panel', () => {
  const all = files.map(({ text }) => text).join('');
  const tokens = [...Object.keys(colourTokens), ...Object.keys(measureTokens)];
  expect(tokens.filter((token) => !all.includes(`var(${token})`) && !all.includes(`var(${token},`))).toEqual(
    [],
  );
});

test('every private token that a style reads is declared', () => {
  const declared = new Set([...Object.keys(colourTokens), ...Object.keys(measureTokens)]);
  const declaredIn = (text: string): string[] =>
    [...text.matchAll(/(--_[\w-]+)\s*:|'(--_[\w-]+)'/g)].map((found) => found[1] ?? found[2] ?? '');
  // inherited by everything in it: launcher, shell and panel
  const ofLayer = declaredIn(files.find(({ file }) => file === 'widget/element/agent-chat.styles.ts')!.text);
  const wrong: string[] = [];
  for (const { file, text } of files.filter(({ file: name }) => name.startsWith('widget/'))) {
    const local = new Set([...declaredIn(text), ...(/^widget\/(element|panel)\//.test(file) ? ofLayer : [])]);
    for (const [, token = ''] of text.matchAll(/var\(\s*(--_[\w-]+)(?=\s*\))/g)) {
      if (!declared.has(token) && !local.has(token)) wrong.push(`${file}: ${token}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('no host names its container: WebKit would not find the name from the components inside', () => {
  const named = files.filter(({ text }) =>
    /:host[^{}]*\{[^{}]*container(?:-name)?:\s*(?!none)[\w-]/.test(text),
  );
  expect(named.map(({ file }) => file)).toEqual([]);
});
