import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { build } from 'vite';
import { root } from '../package/pack.ts';
import { recordShifts, shiftsOf } from '../tools/layout-shifts.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

// A web team opens the playground, changes a setting, copies a snippet and pastes it into a page of its own.
let service: ServiceProcess;
const site = pageServer(test);
test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

/** The playground on `localhost`, its accent colour changed, the Embed tab open. */
async function changeASetting(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1366, height: 800 });
  await page.goto(service.otherOrigin);
  await new ChatPage(page, '#preview').composer.waitFor();
  await page.locator('#field-accent-color').fill('#8e3ab8');
  await page.getByRole('tab', { name: 'Embed' }).click();
}

/** The snippet as its Copy button gives it. */
async function copied(page: Page, form: string): Promise<string> {
  await page.getByRole('group', { name: 'Form of the snippet' }).getByText(form, { exact: true }).click();
  return (await page.getByRole('region', { name: form, exact: true }).textContent()) ?? '';
}

/** Pastes a snippet into a page of the site, which is served from another port, and types a question there. */
async function chatOn(page: Page, body: string, origin: string): Promise<ChatPage> {
  const html = `<!doctype html><html lang="en"><title>Our site</title><body><h1>Our site</h1>${body}</body></html>`;
  site.pages.set('/index.html', { html });
  await page.goto(`${origin}/index.html`);
  const chat = new ChatPage(page);
  await expect.poll(() => chat.launcherColour()).toEqual([142, 58, 184]);
  await chat.open();
  await chat.answerAtOnce();
  await chat.say('When is high water?');
  await expect.poll(() => chat.lastAnswer()).toContain('two hours either side');
  await expect(chat.notice).toHaveCount(0);
  return chat;
}

test('journey 5: what is copied from the playground works and looks the same on another port, also after a reload', async ({
  page,
  context,
}) => {
  await changeASetting(page);
  for (const form of ['Script tag', 'Element'])
    await test.step(`the ${form.toLowerCase()}`, async () => {
      const visit = await context.newPage();
      // on the playground's own host name the cookie tells the visitor, on the other the page's origin does
      const origin = form === 'Element' ? site.otherOrigin : site.origin;
      const chat = await chatOn(visit, await copied(page, form), origin);
      await visit.reload();
      await chat.composer.waitFor();
      await chat.answerAtOnce();
      await chat.say('Ahoy');
      await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
      await expect(chat.notice).toHaveCount(0);
      await visit.close();
    });

  await test.step('a look', async () => {
    await page.getByRole('button', { name: 'Kiln', exact: true }).click();
    await page.locator('#field-accent-color').fill('#8e3ab8');
    const worn = (chat: ChatPage) =>
      chat.panel.evaluate((panel) => {
        const { fontFamily, fontSize, borderRadius } = getComputedStyle(panel);
        return { fontFamily, fontSize, borderRadius };
      });
    const preview = await worn(new ChatPage(page, '#preview'));
    expect(preview.borderRadius).toBe('8px');
    const visit = await context.newPage();
    const chat = await chatOn(visit, await copied(page, 'Element'), site.origin);
    expect(await worn(chat)).toEqual(preview);
    await expect(chat.panel).toContainText('Kiln Support');
    const logo = chat.element.locator('agent-chat-header img');
    await expect
      .poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await visit.close();
  });

  await test.step('a script tag in the page: the chat appears where it was pasted', async () => {
    await page.getByText('in the page', { exact: true }).click();
    const snippet = await copied(page, 'Script tag');
    site.pages.set('/in-page.html', {
      html: `<!doctype html><html lang="en"><title>Our site</title><body>${snippet}<footer>Imprint</footer></body></html>`,
    });
    const visit = await context.newPage();
    await recordShifts(visit);
    await visit.goto(`${site.origin}/in-page.html`);
    const chat = new ChatPage(visit);
    await chat.composer.waitFor();
    const shifts = await shiftsOf(visit);
    const footers = shifts.filter(({ moves }) => moves.some((move) => move.startsWith('footer')));
    expect(footers, 'the snippet keeps the room of the chat').toEqual([]);
    await chat.answerAtOnce();
    await chat.say('When is high water?');
    await expect.poll(() => chat.lastAnswer()).toContain('two hours either side');
    const panel = await chat.panel.boundingBox();
    const footer = await visit.getByText('Imprint').boundingBox();
    expect(footer?.y ?? 0).toBeGreaterThanOrEqual((panel?.y ?? 0) + (panel?.height ?? Infinity));
  });
});

test('journey 5: the snippet of Publish works on another port with the page’s texts and follows new configs', async ({
  page,
  context,
}) => {
  await changeASetting(page);
  await page.getByRole('button', { name: 'Publish' }).click();
  const published = page.getByRole('region', { name: 'Published script' });
  await expect(published).toContainText('data-accent-color="#8e3ab8"');

  await test.step('it is said, and can be copied', async () => {
    const spoken = page.locator('playground-embed [aria-live]');
    await expect(spoken).toHaveText(/^\s*Published at .{4,20}\.\s*$/);
    await page.locator('playground-embed .outcome').getByRole('button', { name: 'Copy' }).press('Enter');
    await expect(page.locator('#said')).toHaveText(/^(Copied|Selected)$/);
  });

  await test.step('it runs on a page of another origin', async () => {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: /Open a host page/ }).click();
    const foreign = await opened;
    expect(new URL(foreign.url()).origin).toBe(service.origin);
    const chat = new ChatPage(foreign);
    await expect.poll(() => chat.launcherColour()).toEqual([142, 58, 184]);
    await chat.open();
    await chat.say('hello');
    await expect.poll(() => chat.lastAnswer()).not.toBe('');
    await foreign.close();
  });

  const host = await context.newPage();
  const chat = await chatOn(host, (await published.textContent()) ?? '', site.otherOrigin);
  await expect(chat.panel).toContainText('Harbour Help');
  await expect(chat.panel).toContainText('Answers can be wrong.');
  await host.clock.install({ time: Date.now() });
  await page.getByRole('switch', { name: /^Live/ }).click();
  const unpublished = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Publish' }).click();
  await unpublished;
  await host.clock.fastForward(20_000);
  await host.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(chat.launcher).toHaveCount(0);
  await page.getByRole('switch', { name: /^Live/ }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
});

const frameworks: Readonly<Record<string, { file: string; main: string }>> = {
  React: {
    file: 'chat.tsx',
    main: `import { createElement } from 'react'; import { createRoot } from 'react-dom/client'; import { Chat } from './chat.tsx';
      createRoot(document.querySelector('#app')).render(createElement(Chat));`,
  },
  Vue: {
    file: 'chat.vue',
    main: `import { createApp } from 'vue'; import Chat from './chat.vue'; createApp(Chat).mount('#app');`,
  },
  Svelte: {
    file: 'chat.svelte',
    main: `import { mount } from 'svelte'; import Chat from './chat.svelte'; mount(Chat, { target: document.querySelector('#app') });`,
  },
};

test('journey 5: the React, Vue and Svelte snippets build and work on another port', async ({
  page,
  context,
}) => {
  await changeASetting(page);
  const folder = `${root}test/.results/journey-5`; // the package is found by its own name there
  const entry: Record<string, string> = {};
  for (const [form, { file, main }] of Object.entries(frameworks)) {
    await mkdir(`${folder}/${form}`, { recursive: true });
    await writeFile(`${folder}/${form}/${file}`, await copied(page, form));
    entry[form] = `${folder}/${form}/main.js`;
    await writeFile(entry[form], main);
  }
  // in one build, which takes the package once
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'agent-chat' } } }),
      svelte({ configFile: false }),
    ],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir: `${folder}/dist`, minify: false, lib: { entry, formats: ['es'] } },
  });
  await cp(`${folder}/dist`, `${root}dist/.journey-5`, { recursive: true });
  for (const form of Object.keys(frameworks)) {
    const script = `<script type="module" src="/.journey-5/${form}.js"></script>`;
    const visit = await context.newPage();
    const chat = await chatOn(visit, `<div id="app"></div>${script}`, site.otherOrigin);
    await expect(chat.panel, form).toContainText('Answers can be wrong.');
    await visit.close();
  }
  await rm(folder, { recursive: true });
  await rm(`${root}dist/.journey-5`, { recursive: true });
});
