import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type {} from '../../src/widget/define.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const host = pageServer(test);

test.beforeAll(async () => {
  host.answer = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', host.origin);
    const copy = /^\/(?:other-version|agent-chat\/[\d.]+)\/(.*)$/.exec(pathname)?.[1];
    if (copy !== undefined) {
      response.writeHead(302, { location: `/${copy}` }).end();
      return true;
    }
    if (pathname === '/icon.svg') {
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"/>');
      return true;
    }
    if (!pathname.endsWith('/runs/stream')) return false;
    await sendEvents(response, framings['real SSE'], plainTurn(['Ahoy, ', 'visitor.']));
    return true;
  };
});

const policy = (origin: string, types = 'agent-chat'): string =>
  `default-src 'none'; script-src ${origin}; style-src ${origin}; connect-src ${origin}; img-src ${origin}; ` +
  `require-trusted-types-for 'script'; trusted-types ${types}`;

/** Opens a page with this head and body, and gathers everything the browser complains of. */
async function visit(
  page: Page,
  parts: { head?: string; body?: string; headers?: Record<string, string> },
): Promise<{ chat: ChatPage; faults: string[] }> {
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(fault.message));
  page.on('console', (entry) => {
    // what this server does not offer beyond the interface is asked for once; the browser itself notes the answer
    if (/status of 404/.test(entry.text())) return;
    if (entry.type() === 'error' || entry.type() === 'warning') faults.push(entry.text());
  });
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="/icon.svg"><title>Host</title>${parts.head ?? ''}</head><body>${parts.body ?? ''}</body></html>`,
    headers: { 'content-type': 'text/html; charset=utf-8', ...parts.headers },
  });
  await page.goto(`${host.origin}/page.html`);
  return { chat: new ChatPage(page), faults };
}

async function converse(chat: ChatPage): Promise<void> {
  await chat.open();
  expect(await chat.lastAnswer()).toBe('');
  await chat.say('Hello');
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
}

const attributes = 'data-agent-id="a" data-token="t"';

const tags = {
  async: '<script async src="SRC" ATTRIBUTES></script>',
  defer: '<script defer src="SRC" ATTRIBUTES></script>',
  plain: '<script src="SRC" ATTRIBUTES></script>',
  module: '<script type="module" src="SRC" ATTRIBUTES></script>',
};
const withoutTag = {
  'imported from another origin': 'import("SRC")',
  'whose module tag was taken out at once':
    'const tag = document.createElement("script"); tag.type = "module"; tag.src = "SRC"; document.head.append(tag); tag.remove()',
};

/** In one page, that of a visitor who comes for the first time each time. */
test('a script from another origin brings one chat that answers, wherever and however a page places it', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await page.addInitScript('localStorage.clear(); sessionStorage.clear()');
  const bringsOneChat = async (parts: { head?: string; body?: string }): Promise<void> => {
    const { chat, faults } = await visit(page, parts);
    await converse(chat);
    await expect(page.locator('agent-chat')).toHaveCount(1);
    expect(await chat.evaluate(({ baseUrl }) => baseUrl)).toBe(`${host.otherOrigin}/`);
    expect(faults).toEqual([]);
  };
  const src = `${host.otherOrigin}/agent-chat.js`;
  for (const [name, tag] of Object.entries(tags))
    for (const place of ['head', 'body'] as const)
      await test.step(`a tag that is ${name}, in the ${place}`, () =>
        bringsOneChat({ [place]: tag.replace('SRC', src).replace('ATTRIBUTES', attributes) }));
  for (const [name, bring] of Object.entries(withoutTag))
    await test.step(`a script ${name} finds its parts and the service without a tag`, () =>
      bringsOneChat({
        head: `<script>${bring.replace('SRC', src)}</script>`,
        body: '<agent-chat agent-id="a" token="t"></agent-chat>',
      }));
});

test('two scripts, also of different versions, create one chat without errors; the documented policy blocks nothing', async ({
  page,
}) => {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`blocked: ${violatedDirective} ${blockedURI}`),
    );
  });
  const tag = (path: string): string =>
    `<script async src="${host.origin}/${path}agent-chat.js" ${attributes}></script>`;
  const { chat, faults } = await visit(page, {
    body: tag('') + tag('') + tag('other-version/') + tag('').replace('async', 'type="module"'),
    headers: { 'content-security-policy': policy(host.origin) },
  });
  await converse(chat);
  await expect(page.locator('agent-chat')).toHaveCount(1);
  expect(faults).toEqual([]);
});

test('a pinned version from another origin uses the service at the root of that origin', async ({ page }) => {
  const { chat, faults } = await visit(page, {
    head: `<script crossorigin src="${host.otherOrigin}/agent-chat/0.1.0/agent-chat.js" ${attributes}></script>`,
  });
  const asked = page.waitForRequest(/runs\/stream/);
  await converse(chat);
  expect((await asked).url()).toBe(`${host.otherOrigin}/api/v1/hub/runs/stream`);
  expect(faults).toEqual([]);
});

test('two elements and the script are two chats with the script’s defaults', async ({ page }) => {
  const { faults } = await visit(page, {
    body: `<agent-chat agent-id="one" form-type="custom" height="300px"></agent-chat>
      <agent-chat agent-id="two" form-type="custom" height="300px"></agent-chat>
      <script async src="${host.origin}/agent-chat.js" data-accent-color="#8e3ab8" data-token="t"></script>`,
  });
  const first = new ChatPage(page, 'agent-chat >> nth=0');
  const second = new ChatPage(page, 'agent-chat >> nth=1');
  await first.composer.waitFor();
  await second.composer.waitFor();
  await first.say('Hello');
  await expect.poll(() => first.lastAnswer()).toBe('Ahoy, visitor.');
  expect(await second.lastAnswer()).toBe('');
  await expect(page.locator('agent-chat')).toHaveCount(2);
  for (const { element } of [first, second]) await expect(element).toHaveJSProperty('accentColor', '#8e3ab8');
  expect(faults).toEqual([]);
});

test('a tag whose only setting is written without its dashes adds a chat that says so; one without settings adds none', async ({
  page,
}) => {
  const script = `<script async src="${host.origin}/agent-chat.js" data-cfasync="false"`;
  await visit(page, { body: `${script}></script>` });
  await page.waitForFunction(() => customElements.get('agent-chat'));
  await expect(page.locator('agent-chat')).toHaveCount(0);
  const warned = page.waitForEvent('console', (entry) => entry.text().includes('use data-agent-id'));
  const { chat } = await visit(page, { body: `${script} data-agentId="a"></script>` });
  await chat.open();
  await warned;
});

test('with preload="eager" the panel is asked for before the launcher is there, with low priority', async ({
  page,
}) => {
  let priority = '';
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  devtools.on('Network.requestWillBeSent', ({ request: { url, initialPriority } }) => {
    if (url.includes('chunks/runtime')) priority ||= initialPriority;
  });
  let arrive = (): void => undefined;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/chunks\/runtime/, async (route) => {
    await held;
    await route.continue();
  });
  const { chat } = await visit(page, {
    body: `<script async src="${host.origin}/agent-chat.js" ${attributes} data-preload="eager"></script>`,
  });
  await expect(chat.launcher).toBeVisible();
  expect(priority).toBe('Low');
  expect(await chat.element.locator('agent-chat-panel').count()).toBe(0);
  arrive();
  await expect.poll(() => chat.element.locator('agent-chat-panel').count()).toBe(1);
});

test('a page with only the launcher loads one file, and nothing moves when the rest arrives', async ({
  page,
}) => {
  host.requests.length = 0;
  const { chat } = await visit(page, {
    body: `<script async src="${host.origin}/agent-chat.js" ${attributes}></script>`,
  });
  await expect(chat.launcher).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(host.requests.filter((path) => path.endsWith('.js'))).toEqual(['GET /agent-chat.js']);
  const before = await chat.launcher.boundingBox();
  await chat.launcher.hover();
  await expect.poll(() => chat.element.locator('agent-chat-panel').count()).toBe(1);
  await page.mouse.move(0, 0);
  await expect.poll(() => chat.launcher.boundingBox()).toEqual(before);
});

test('calls made before the panel has loaded wait for it, and its requests pass through the page’s patched fetch', async ({
  page,
}) => {
  const { chat } = await visit(page, {
    head: `<script>
      const original = window.fetch;
      window.seen = [];
      window.fetch = async function (...words) { window.seen.push(String(words[0].url ?? words[0])); return original.apply(window, words); };
    </script>`,
    body: `<script async src="${host.origin}/agent-chat.js" ${attributes}></script>`,
  });
  await expect(chat.launcher).toBeVisible();
  await chat.element.evaluate(async (element) => {
    const chat = element as HTMLElementTagNameMap['agent-chat']; // found by its name
    await Promise.all([chat.show(), chat.setDraft('later'), chat.send('Hello')]);
  });
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
  await expect(chat.composer).toHaveValue('later');
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen); // set by the page
  expect(seen.some((url) => url.includes('/runs/stream'))).toBe(true);
});

test('a panel that fails to load is shown on the launcher, and opens once it loads', async ({ page }) => {
  let broken = true;
  await page.route(/chunks\/runtime/, (route) => (broken ? route.abort() : route.continue()));
  const { chat } = await visit(page, {
    body: `<script async src="${host.origin}/agent-chat.js" ${attributes}></script>`,
  });
  await chat.launcher.click();
  await expect(chat.launcher).toHaveAccessibleName(/could not be loaded/i);
  broken = false;
  await chat.composer.waitFor();
  await chat.say('Hello');
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
});

test('an inline or bundled script says that it must be served from its own URL', async ({ page }) => {
  const text = await readFile(new URL('../../dist/agent-chat.js', import.meta.url), 'utf8');
  // this server has the parts at its root
  const { chat, faults } = await visit(page, {
    head: '<base href="/elsewhere/">',
    body: `<script ${attributes}>${text}</script>`,
  });
  await chat.launcher.click();
  await expect(chat.launcher).toHaveAccessibleName(/could not be loaded/);
  expect(faults.join()).toMatch(/must be served over HTTP from its own URL/);
});

test('the chat works on a page that already uses Lit’s policy name', async ({ page }) => {
  await page.addInitScript(() => {
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes?: { createPolicy(name: string, rules: object): unknown };
    }; // not in the DOM types of this compiler
    trustedTypes?.createPolicy('lit-html', { createHTML: (text: string) => text });
  });
  const { chat, faults } = await visit(page, {
    body: `<script async src="${host.origin}/agent-chat.js" ${attributes}></script>`,
    headers: { 'content-security-policy': policy(host.origin, 'lit-html agent-chat') },
  });
  await converse(chat);
  expect(faults).toEqual([]);
});

test('it works in a sandboxed frame', async ({ page }) => {
  host.pages.set('/framed.html', {
    html: `<!doctype html><html lang="en"><title>Framed</title><body><script async src="${host.origin}/agent-chat.js" ${attributes} data-open="true"></script></body></html>`,
  });
  const { faults } = await visit(page, {
    body: '<iframe src="/framed.html" width="500" height="700" sandbox="allow-scripts"></iframe>',
  });
  const frame = page.frameLocator('iframe');
  await frame.locator('textarea').fill('Hello');
  await frame.locator('textarea').press('Enter');
  await expect(frame.locator('agent-chat-turn .answer')).toContainText('Ahoy, visitor.');
  // the frame has no storage, and a developer is told so
  expect(faults.filter((fault) => !/storage is full or blocked/i.test(fault))).toEqual([]);
});

test('a style sheet that reverts everything leaves it usable', async ({ page }) => {
  const { chat } = await visit(page, {
    head: '<style>* { all: revert !important; } div, button { display: none; }</style>',
    body: `<script async src="${host.origin}/agent-chat.js" ${attributes}></script>`,
  });
  await expect(chat.launcher).toBeVisible();
  await converse(chat);
  await expect(chat.panel).toBeVisible();
});

test('an answer can be selected on a page that turns selection off', async ({ page }) => {
  const { chat } = await visit(page, {
    head: '<style>* { user-select: none; -webkit-user-select: none; }</style>',
    body: `<script async src="${host.origin}/agent-chat.js" ${attributes}></script>`,
  });
  await converse(chat);
  await chat.answers
    .first()
    .getByText('Ahoy')
    .dblclick({ position: { x: 12, y: 10 } });
  await page.keyboard.press('ControlOrMeta+c');
  await chat.composer.press('ControlOrMeta+v');
  await expect(chat.composer).toHaveValue('Ahoy');
});

test('it leaves no globals, cookies or other traces besides its element', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { before: Object.getOwnPropertyNames(globalThis) });
  });
  const { chat } = await visit(page, {
    body: `<main id="main">Page</main><script async src="${host.origin}/agent-chat.js" ${attributes}></script>`,
  });
  await converse(chat);
  const left = await page.evaluate(() => {
    const { before } = globalThis as unknown as { before: string[] }; // set above
    return {
      globals: Object.getOwnPropertyNames(globalThis).filter(
        (name) => name !== 'before' && !before.includes(name),
      ),
      cookies: document.cookie,
      body: [...document.body.children].map(({ localName }) => localName),
      head: [...document.head.children].map(({ localName }) => localName),
      style: document.body.getAttribute('style'),
    };
  });
  // Lit notes its version, and its decorators their metadata, for other copies of Lit
  const lit = ['litHtmlVersions', 'litElementVersions', 'reactiveElementVersions', 'litPropertyMetadata'];
  expect(left.globals.filter((name) => !lit.includes(name) && name !== 'main')).toEqual([]);
  expect(left).toMatchObject({ cookies: '', body: ['main', 'script', 'agent-chat'], style: null });
  expect(left.head).toEqual(['meta', 'link', 'title']);
});

test('a page opened from a file says why the panel is missing', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-chat-file-'));
  await cp(fileURLToPath(new URL('../../dist/', import.meta.url)), folder, {
    recursive: true,
    filter: (path) => !/\/(service|demo|types|lib)(\/|$)/.test(path),
  });
  await writeFile(
    join(folder, 'page.html'),
    '<!doctype html><title>File</title><body><script src="agent-chat.js" data-agent-id="a"></script></body>',
  );
  const warned = page.waitForEvent('console', (entry) =>
    entry.text().includes('must be served over HTTP from its own URL'),
  );
  await page.goto(String(pathToFileURL(join(folder, 'page.html'))));
  await page.locator('agent-chat .launcher').click();
  await warned;
  await rm(folder, { recursive: true });
});

test('a page opened from a file works with the script of a server', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-chat-file-'));
  const script = `<script async src="${host.origin}/agent-chat.js" ${attributes}></script>`;
  await writeFile(join(folder, 'page.html'), `<!doctype html><title>File</title><body>${script}</body>`);
  await page.goto(String(pathToFileURL(join(folder, 'page.html'))));
  await converse(new ChatPage(page));
  await rm(folder, { recursive: true });
});

test('a chat that is not live sends nothing, and goes on with its conversation once it is', async ({
  page,
}) => {
  const body = (attributes: string): string => `<agent-chat agent-id="a" token="t" ${attributes}></agent-chat>
    <script async src="${host.origin}/agent-chat.js"></script>`;
  const { chat } = await visit(page, { body: body('') });
  await converse(chat);
  await visit(page, { body: body('is-live="false" preload="idle"') });
  const ofThread = (): string[] => host.requests.filter((request) => request.includes('/threads/'));
  host.requests.length = 0;
  const known = (): Promise<number | undefined> =>
    chat.evaluate(({ conversation }) => conversation?.messages.length);
  await expect.poll(known).toBe(2);
  await page.waitForLoadState('networkidle');
  expect(ofThread()).toEqual([]);
  await chat.evaluate((element) => element.setAttribute('is-live', 'true'));
  await chat.open();
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
  await expect.poll(() => ofThread().length).toBeGreaterThan(0);
});

test('methods keep their contract outside the page, and with is-live off', async ({ page }) => {
  const { chat } = await visit(page, {
    body: `<agent-chat agent-id="a" token="t" is-live="false"></agent-chat>
      <script async src="${host.origin}/agent-chat.js"></script>`,
  });
  await page.waitForFunction(() => customElements.get('agent-chat'));
  const before = host.requests.filter((request) => request.endsWith('/runs/stream')).length;
  const told = await chat.evaluate(async (element) => {
    const codes: string[] = [];
    element.addEventListener('agent-chat-diagnostic', (event) => codes.push(event.code));
    await element.send('Hello');
    return codes;
  });
  expect(told).toContain('not-live');
  expect(host.requests.filter((request) => request.endsWith('/runs/stream'))).toHaveLength(before);
  const opened = await page.evaluate(async () => {
    const element = document.createElement('agent-chat');
    await element.show();
    await element.focusComposer();
    await element.toggle();
    return element.open;
  });
  expect(opened).toBe(false);
});
