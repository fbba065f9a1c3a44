import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { pack, root, runIn, type Packed } from '../package/pack.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

/** Installing from scratch needs a registry and minutes: INSTALLS=1 turns it on. */
const installs = process.env['INSTALLS'] ? test : test.skip;

let packed: Packed;
let folder: string;
let service: ServiceProcess;

test.beforeAll(async ({ sharedService }) => {
  packed = await pack();
  ({ folder } = packed);
  service = sharedService;
});
test.afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function install(name: string, packages: readonly string[], tarball = packed.widget): Promise<string> {
  const place = `${folder}/${name}`;
  await mkdir(place);
  await writeFile(`${place}/package.json`, JSON.stringify({ name, private: true, type: 'module' }));
  const words = ['install', '--no-audit', '--no-fund', tarball, ...packages];
  const { good, output } = await runIn(place, 'npm', words);
  expect(good, output).toBe(true);
  return place;
}

async function chatOn(page: Page, html: (origin: string) => string, files?: string): Promise<void> {
  const host = await PageServer.start();
  if (files) await cp(files, `${root}dist/.installed`, { recursive: true });
  host.pages.set('/page.html', { html: html(host.origin) });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('hello');
  await expect.poll(() => chat.lastAnswer()).not.toBe('');
  await host.close();
  await rm(`${root}dist/.installed`, { recursive: true, force: true });
}

/** Builds an app whose only module is `entry`, and chats on its page. */
async function buildAndChat(page: Page, place: string, entry: string): Promise<void> {
  const settings = { baseUrl: service.origin, agentId: 'demo', token: await service.token() };
  await writeFile(`${place}/main.js`, entry.replace('SETTINGS', JSON.stringify(settings)));
  await writeFile(
    `${place}/index.html`,
    '<!doctype html><div id="app"></div><script type="module" src="/main.js"></script>',
  );
  const vite = 'node_modules/vite/bin/vite.js';
  const built = await runIn(place, process.execPath, [vite, 'build', '--base', '/.installed/']);
  expect(built.good, built.output).toBe(true);
  const [script] = (await readdir(`${place}/dist/assets`)).filter((file) => /^index-.*\.js$/.test(file));
  await chatOn(
    page,
    () =>
      `<!doctype html><title>x</title><div id="app"></div><script type="module" src="/.installed/assets/${script ?? ''}"></script>`,
    `${place}/dist`,
  );
}

test('journey 6: packed and unpacked into an app, it needs what its manifest names, builds and chats', async ({
  page,
}) => {
  const place = `${folder}/offline`;
  const unpacked = `${place}/node_modules/agent-chat`;
  await mkdir(unpacked, { recursive: true });
  expect((await runIn(unpacked, 'tar', ['-xzf', packed.widget, '--strip-components', '1'])).good).toBe(true);
  const manifest = JSON.parse(await readFile(`${unpacked}/package.json`, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // as npm would place them, from what this project has: no registry
  for (const name of [...Object.keys(manifest.dependencies), 'vite']) {
    await mkdir(dirname(`${place}/node_modules/${name}`), { recursive: true });
    await symlink(`${root}node_modules/${name}`, `${place}/node_modules/${name}`);
  }
  await writeFile(`${place}/package.json`, '{"name":"offline","private":true,"type":"module"}');
  const entry = `import 'agent-chat'; const chat = document.createElement('agent-chat');
    Object.assign(chat, SETTINGS); document.body.append(chat);`;
  await buildAndChat(page, place, entry);
});

for (const [framework, packages, entry] of [
  [
    'react',
    ['react@19', 'react-dom@19', 'vite@8.3.8'],
    `import { createElement } from 'react'; import { createRoot } from 'react-dom/client'; import { AgentChat } from 'agent-chat/react';
     createRoot(document.querySelector('#app')).render(createElement(AgentChat, SETTINGS));`,
  ],
  [
    'vue',
    ['vue@3', 'vite@8.3.8'],
    `import 'agent-chat'; import { createApp, h } from 'vue';
     createApp({ render: () => h('agent-chat', SETTINGS) }).mount('#app');`,
  ],
] as const) {
  installs(`journey 6: installed for Vite and ${framework} it builds and chats`, async ({ page }) => {
    const place = await install(framework, packages);
    await buildAndChat(page, place, entry);
  });
}

installs(
  'journey 6: an app with other majors of the server libraries and React 17 installs it without a flag, types, builds and chats',
  async ({ page }) => {
    const held = ['fastify@4', 'jose@5', 'pg@8.11', 'openai@5', 'libphonenumber-js@1.10', 'react@17'];
    const more = ['react-dom@17', '@types/react@17', '@types/react-dom@17', 'typescript@5', 'vite@8.3.8'];
    const place = await install('held', [...held, ...more]);
    await writeFile(
      `${place}/typed.tsx`,
      `import * as React from 'react'; import { AgentChat } from 'agent-chat/react';
       export const chat = <AgentChat agentId="demo" open onRunEnd={(event) => event.status.length} />;`,
    );
    const options = ['--strict', '--noEmit', '--jsx', 'react', '--target', 'es2022', '--module', 'esnext'];
    const words = ['tsc', ...options, '--moduleResolution', 'bundler', 'typed.tsx'];
    const typed = await runIn(place, 'npx', words);
    expect(typed, typed.output.slice(0, 900)).toMatchObject({ good: true });
    await buildAndChat(
      page,
      place,
      `import { createElement } from 'react'; import { render } from 'react-dom'; import { AgentChat } from 'agent-chat/react';
       render(createElement(AgentChat, SETTINGS), document.querySelector('#app'));`,
    );
    // the service has its own versions, beside the app's
    const added = await runIn(place, 'npm', ['install', '--no-audit', '--no-fund', packed.service]);
    expect(added, added.output).toMatchObject({ good: true });
    const command = await runIn(place, 'npx', ['agent-chat-service', 'serve']);
    expect(command.output).toContain('JWT_SECRET');
  },
);

installs(
  'journey 6: installed for plain HTML the script in the package chats, and no server library came along',
  async ({ page }) => {
    const place = await install('plain', []);
    const installed = await readdir(`${place}/node_modules`);
    expect(
      installed.filter((name) =>
        ['fastify', 'kysely', 'libsql', 'jose', 'pg', 'openai', 'react'].includes(name),
      ),
    ).toEqual([]);
    const token = await service.token();
    await chatOn(
      page,
      (origin) =>
        `<!doctype html><title>x</title><body><script src="${origin}/.installed/agent-chat.js" data-base-url="${service.origin}" data-agent-id="demo" data-token="${token}"></script></body>`,
      `${place}/node_modules/agent-chat/dist`,
    );
  },
);

installs(
  'journey 6: installed in Node, widget, client and state can be imported, and types need no flag',
  async () => {
    const place = await install('node', ['typescript@6.0.3']);
    await writeFile(
      `${place}/use.ts`,
      `import 'agent-chat';
     import { createAgentClient, HttpError } from 'agent-chat/client';
     import { ChatSession } from 'agent-chat/conversation';
     const client = createAgentClient({ baseUrl: '${service.origin}', tokenProvider: () => '${await service.token()}' });
     const session = new ChatSession({ client, settings: () => ({ agentId: 'echo' }) });
     await session.send('Ahoy');
     console.log(session.conversation.messages.at(-1)?.items[0]?.text, typeof HttpError);
     export const typed = (): string => document.createElement('agent-chat').agentId;
     export {};`,
    );
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', 'use.ts'];
    const compiled = await runIn(place, 'npx', ['tsc', ...options]);
    expect(compiled, compiled.output.slice(0, 900)).toMatchObject({ good: true });
    const { output } = await runIn(place, 'node', ['use.js']);
    expect(output).toContain('Ahoy function');
  },
);

installs('journey 6: the installed service serves the widget and answers in it', async ({ page }) => {
  const place = await install('service', [], packed.service);
  const environment = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    JWT_SECRET: 'x'.repeat(40),
    AGENTS_FILE: `${place}/agents.json`,
  };
  await writeFile(environment.AGENTS_FILE, JSON.stringify({ agents: [{ id: 'echo', kind: 'echo' }] }));
  const child = spawn('node', ['node_modules/agent-chat-service/dist/service/cli.js', 'serve'], {
    cwd: place,
    env: environment,
  });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  await expect
    .poll(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? output, { timeout: 20_000 })
    .toMatch(/^http/);
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
  const ready = await fetch(`${address}/readyz`);
  const words = 'npx agent-chat-service token --sub me --tenant t --scope run'.split(' ');
  const told = await runIn(place, 'env', [`JWT_SECRET=${environment.JWT_SECRET}`, ...words]);
  const token = /[\w-]+\.[\w-]+\.[\w-]+(?=\s*$)/m.exec(told.output)?.[0] ?? '';
  try {
    expect(ready.status).toBe(200);
    const settings = `data-agent-id="echo" data-token="${token}"`;
    await chatOn(
      page,
      () =>
        `<!doctype html><title>x</title><body><script src="${address}/agent-chat.js" ${settings}></script></body>`,
    );
  } finally {
    child.kill('SIGKILL');
  }
});
