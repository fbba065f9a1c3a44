import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { build } from 'vite';
import { AgentChat } from '../../src/react/index.ts';
import { pageServer } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);
const settings = { agentId: 'a', theme: 'dark', accentColor: '#ffe600', visitor: 'anna' } as const;

test('a page of a server shows the chat as set before React hydrates it, and tells React that it is ready', async ({
  page,
}) => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = `${root}test/.results/react-server`; // there, the package resolves by its own name
  await mkdir(folder, { recursive: true });
  await writeFile(
    `${folder}/main.js`,
    `import { createElement } from 'react'; import { hydrateRoot } from 'react-dom/client';
     import { AgentChat } from 'agent-chat/react';
     window.ready = [];
     const chat = createElement(AgentChat, { ...${JSON.stringify(settings)}, onReady: () => ready.push('React') });
     document.addEventListener('agent-chat-ready', ({ target: { config } }) => {
       ready.push([config.theme, config.accentColor, config.visitor].join(' '));
       hydrateRoot(document.querySelector('#app'), chat, { onRecoverableError: console.error });
     });`,
  );
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { lib: { entry: `${folder}/main.js`, formats: ['es'], fileName: 'main' }, minify: false },
  });
  await cp(`${folder}/dist`, `${root}dist/.react-server`, { recursive: true });
  await rm(folder, { recursive: true });
  const faults: string[] = [];
  page.on('console', (entry) => entry.type() === 'error' && faults.push(entry.text()));
  const html = renderToString(createElement(AgentChat, settings));
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><div id="app">${html}</div>
      <script type="module" src="/.react-server/main.js"></script>`,
  });
  await page.goto(server.origin);
  await expect.poll(() => page.evaluate('window.ready')).toEqual(['dark #ffe600 anna', 'React']);
  expect(faults).toEqual([]);
  await rm(`${root}dist/.react-server`, { recursive: true });
});
