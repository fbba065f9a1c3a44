import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { build } from 'vite';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);

async function visit(page: Page, body: string) {
  const diagnostics: string[] = [];
  const faults: string[] = [];
  page.on('console', (entry) => diagnostics.push(entry.text()));
  page.on('pageerror', (fault) => faults.push(fault.message));
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>${body}</body></html>`,
  });
  await page.goto(server.origin);
  return { chat: new ChatPage(page), diagnostics, faults };
}

test('the chat of a script tag leaves with its container, reports it, and returns with a new one', async ({
  page,
}) => {
  const { chat, diagnostics } = await visit(
    page,
    `<main id="app"><div id="box" style="height:300px"></div></main>
     <script async src="/agent-chat.js" data-agent-id="a" data-token="t" data-form-type="custom" data-container-id="box"></script>`,
  );
  await chat.composer.fill('half a thought');
  for (let route = 0; route < 2; route += 1) {
    await page.locator('#app').evaluate((main) => main.replaceChildren(document.createElement('article')));
    await expect(chat.element).toHaveCount(0);
    await expect.poll(() => diagnostics.join('\n')).toContain('returns with it');
    await page.locator('#app').evaluate((main) => {
      const box = document.createElement('div');
      box.id = 'box';
      main.replaceChildren(box);
    });
    await expect(page.locator('#box > agent-chat agent-chat-panel .panel')).toBeVisible();
    await expect(chat.composer).toHaveValue('half a thought');
  }
});

test('a chat in a shadow root that is there before the script uses the script’s service', async ({
  page,
}) => {
  const { chat } = await visit(
    page,
    `<shop-help></shop-help>
     <script>
       const root = document.querySelector('shop-help').attachShadow({ mode: 'open' });
       root.append(document.createElement('agent-chat'));
     </script>
     <script async src="${server.otherOrigin}/agent-chat.js"></script>`,
  );
  await expect.poll(() => chat.evaluate((host) => host.config?.baseUrl)).toBe(`${server.otherOrigin}/`);
});

test('the chat of a script tag moves into the next page’s container when the body is swapped', async ({
  page,
}) => {
  const { chat } = await visit(
    page,
    `<h1>First</h1><div id="box" style="height:300px"></div>
     <script async src="/agent-chat.js" data-agent-id="a" data-token="t" data-form-type="custom" data-container-id="box"></script>`,
  );
  await chat.composer.fill('half a thought');
  // like htmx: inserts the new content first, then removes the old content piece by piece
  await page.evaluate(() => {
    const old = [...document.body.childNodes];
    const box = document.createElement('div');
    box.id = 'box';
    document.body.prepend(document.createElement('h2'), box);
    for (const part of old) part.remove();
  });
  await expect(page.locator('#box > agent-chat agent-chat-panel .panel')).toBeVisible();
  await expect(chat.composer).toHaveValue('half a thought');
});

/** A page whose main part has a chat of a script tag, with a draft in it. */
async function visitBox(page: Page, header = ''): Promise<ChatPage> {
  const { chat } = await visit(
    page,
    `${header}<main><div id="box" style="height:300px"></div></main>
     <script async src="/agent-chat.js" data-agent-id="a" data-token="t" data-form-type="custom" data-container-id="box"></script>`,
  );
  await chat.composer.fill('half a thought');
  return chat;
}

test('a chat whose container was swapped stays when the body is swapped for a kept copy of it', async ({
  page,
}) => {
  const chat = await visitBox(page, '<header></header>');
  const isKept = async (): Promise<void> => {
    await expect(page.locator('#box > agent-chat agent-chat-panel .panel')).toBeVisible();
    await expect(page.locator('agent-chat')).toHaveCount(1);
    await expect(chat.composer).toHaveValue('half a thought');
  };
  // as with htmx: links swap the main part, and Back swaps everything for the HTML that was kept
  const kept = await page.evaluate(() => document.body.innerHTML);
  await page.evaluate(() => {
    const main = document.createElement('main');
    main.append(Object.assign(document.createElement('div'), { id: 'box' }));
    document.querySelector('main')?.replaceWith(main);
  });
  await isKept();
  await page.evaluate((html) => (document.body.innerHTML = html), kept);
  await isKept();
});

test('a chat that returns with a container from a cache is the only one there', async ({ page }) => {
  const chat = await visitBox(page);
  // as with jquery-pjax: clones what a link replaces, and puts the clone back for Back
  await page.evaluate(() => {
    const main = document.querySelector('main');
    const kept = main?.cloneNode(true) as HTMLElement;
    main?.replaceChildren();
    main?.append(...kept.childNodes);
  });
  await expect(page.locator('#box > agent-chat agent-chat-panel .panel')).toBeVisible();
  await expect(page.locator('agent-chat')).toHaveCount(1);
  await expect(chat.composer).toHaveValue('half a thought');
});

test('the chat of a script tag stays in its container when the page is morphed', async ({ page }) => {
  const chat = await visitBox(page);
  const isThere = async (): Promise<void> => {
    await expect(page.locator('#box > agent-chat agent-chat-panel .panel')).toBeVisible();
    await expect(chat.composer).toHaveValue('half a thought');
  };
  // as Turbo does: what the page from the server does not have goes, but for what says that it stays
  await page.evaluate(() => {
    for (const node of [...document.body.childNodes]) if (node.nodeType === Node.COMMENT_NODE) node.remove();
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await isThere();
  await page.evaluate(() => {
    const box = Object.assign(document.createElement('div'), { id: 'box' });
    document.querySelector('#box')?.replaceWith(box);
  });
  await isThere();
});

test('a React app removes a chat in a container, and what its ref has set up', async ({ page }) => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = `${root}test/.results/react-container`; // there, the package resolves by its own name
  await mkdir(folder, { recursive: true });
  await writeFile(
    `${folder}/main.js`,
    `import { createElement } from 'react'; import { createRoot } from 'react-dom/client';
     import { AgentChat } from 'agent-chat/react';
     const app = createRoot(document.querySelector('#app'));
     window.refs = [];
     const ref = (node) => {
       window.refs.push(node.localName);
       return () => window.refs.push('cleaned up');
     };
     const chat = createElement(AgentChat, { agentId: 'a', token: 't', formType: 'custom', containerId: 'box', ref });
     window.show = (hasChat) => app.render(createElement('section', null, hasChat ? chat : 'No chat.'));
     window.show(true);`,
  );
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { lib: { entry: `${folder}/main.js`, formats: ['es'], fileName: 'main' }, minify: false },
  });
  await cp(`${folder}/dist`, `${root}dist/.react-container`, { recursive: true });
  await rm(folder, { recursive: true });
  const { chat, faults } = await visit(
    page,
    `<div id="app"></div><div id="box"></div><script type="module" src="/.react-container/main.js"></script>`,
  );
  await expect(page.locator('#box > agent-chat agent-chat-panel .panel')).toBeVisible();
  await page.evaluate('window.show(false)');
  await expect(page.locator('#app')).toHaveText('No chat.');
  await expect(chat.element).toHaveCount(0);
  expect(await page.evaluate('window.refs')).toEqual(['agent-chat', 'cleaned up']);
  expect(faults).toEqual([]);
  await rm(`${root}dist/.react-container`, { recursive: true });
});
